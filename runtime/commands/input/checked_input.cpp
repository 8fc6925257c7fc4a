#include "runtime/commands/input/checked_input.h"

#include <fmt/format.h>

#include <ostream>
#include <utility>

#include "cli/terminal.h"
#include "runtime/host/actions/log.h"

namespace wheelwright {

std::vector<OptionSpec> WithDryRun(std::vector<OptionSpec> own) {
  own.push_back({.name = "dry-run",
                 .argument = {},
                 .help = "Print the exact commands, quoted for a shell, and run none of them"});
  return own;
}

int Refuse(const Diagnostics& diagnostics, const Arguments& arguments, Host& host,
           const SourceManager& sources) {
  const ReportFormat format = host.in_actions() ? ReportFormat::kGithub : ReportFormat::kText;
  host.out.flush();
  const bool color = UsesColor(TakeColor(arguments), host.err_is_terminal, host);
  Log(host).Report(Render(diagnostics, sources, format, color));
  return diagnostics.errors() > 0 ? kWrongInput : kSuccess;
}

int Refuse(Diagnostic diagnostic, const Arguments& arguments, Host& host) {
  Diagnostics diagnostics;
  diagnostics.Report(std::move(diagnostic));
  return Refuse(diagnostics, arguments, host);
}

bool Require(const Arguments& arguments, std::string_view command, std::string_view option,
             std::string_view says, Diagnostics& diagnostics) {
  if (arguments.Has(option)) return true;
  diagnostics.Report({.code = "missing-argument",
                      .message = fmt::format("'{}' needs '--{}'", command, option),
                      .hint = fmt::format("such as {}", says)});
  return false;
}

}  // namespace wheelwright
