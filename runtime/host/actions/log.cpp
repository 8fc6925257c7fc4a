#include "runtime/host/actions/log.h"

#include <fmt/format.h>

#include <ostream>
#include <random>

#include "base/diagnostic.h"
#include "base/text.h"
#include "cli/terminal.h"
#include "runtime/host/actions/job_stream.h"

namespace wheelwright {
namespace {

Paint PaintOf(const Host& host) {
  return {UsesColor(ColorChoice::kAuto, host.err_is_terminal, host)};
}

}  // namespace

void Log::Say(std::string_view line) {
  host_.out.flush();
  stream() << Printable(line) << '\n';
  stream().flush();
}

void Log::Report(std::string_view rendered) {
  host_.out.flush();
  if (host_.in_actions()) {
    WriteCommand(stream(), rendered);
  } else {
    stream() << rendered;
  }
  stream().flush();
}

void Log::Error(std::string_view message, std::string_view title, const LogPlace& place) {
  Annotate("error", PaintOf(host_).Red("error"), message, title, place);
}

void Log::Warning(std::string_view message, std::string_view title, const LogPlace& place) {
  Annotate("warning", PaintOf(host_).Yellow("warning"), message, title, place);
}

void Log::Notice(std::string_view message, std::string_view title) {
  Annotate("notice", PaintOf(host_).Cyan("note"), message, title, {});
}

void Log::Annotate(std::string_view command, std::string_view word, std::string_view message,
                   std::string_view title, const LogPlace& place) {
  std::string file = place.file;
  const std::string workspace = host_.Variable("GITHUB_WORKSPACE") + "/";
  if (workspace.size() > 1 && file.starts_with(workspace)) file.erase(0, workspace.size());
  if (host_.in_actions()) {
    std::string properties;
    const auto add = [&](std::string_view name, std::string_view value) {
      properties += fmt::format("{}{}={}", properties.empty() ? " " : ",", name,
                                EscapeWorkflowCommand(value, true));
    };
    if (!file.empty()) {
      add("file", file);
      if (place.line > 0) add("line", std::to_string(place.line));
      if (place.column > 0) add("col", std::to_string(place.column));
    }
    if (!title.empty()) add("title", title);
    WriteCommand(host_.out, fmt::format("::{}{}::{}\n", command, properties,
                                        EscapeWorkflowCommand(message, false)));
    host_.out.flush();
    return;
  }
  std::string where;
  if (!file.empty()) {
    where = place.line > 0 ? fmt::format("{}:{}: ", file, place.line) : file + ": ";
  }
  Say(fmt::format("{}: {}{}{}", word, where, title.empty() ? "" : fmt::format("{}: ", title),
                  message));
}

LogGroup::LogGroup(Host& host, std::string_view title) : host_(host) {
  if (host_.in_actions()) {
    WriteCommand(host_.out, fmt::format("::group::{}\n", EscapeWorkflowCommand(title, false)));
    host_.out.flush();
  } else {
    Log(host_).Say(PaintOf(host_).Bold(fmt::format("==> {}", title)));
  }
}

LogGroup::~LogGroup() {
  if (!host_.in_actions()) return;
  WriteCommand(host_.out, "::endgroup::\n");
  host_.out.flush();
}

CommandsDisabled::CommandsDisabled(Host& host) : host_(host) {
  if (!host_.in_actions()) return;
  std::random_device device;
  token_ = fmt::format("wheelrun_{:08x}{:08x}{:08x}", device(), device(), device());
  WriteCommand(host_.out, fmt::format("::stop-commands::{}\n", token_));
  host_.out.flush();
}

CommandsDisabled::~CommandsDisabled() {
  if (token_.empty()) return;
  WriteCommand(host_.out, fmt::format("::{}::\n", token_));
  host_.out.flush();
}

}  // namespace wheelwright
