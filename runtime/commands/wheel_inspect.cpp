#include <fmt/format.h>

#include <ostream>
#include <utility>

#include "base/platform/folders.h"
#include "base/quote.h"
#include "cli/terminal.h"
#include "runtime/commands/commands.h"
#include "runtime/commands/input/checked_input.h"
#include "runtime/commands/input/gfx_options.h"
#include "runtime/hip/code/code_report.h"
#include "runtime/host/actions/job_files.h"
#include "runtime/host/actions/log.h"

namespace wheelwright {
namespace {

// The given files and the wheels in given folders.
std::vector<InspectedFile> OpenFiles(const std::vector<std::string>& paths, Host& host,
                                     Diagnostics& diagnostics) {
  std::vector<InspectedFile> files;
  const auto open = [&](std::string path) {
    InspectedFile file{.path = std::move(path)};
    file.source = OpenFileSource(file.path, file.problem);
    files.push_back(std::move(file));
    return files.back().source != nullptr;
  };
  for (const std::string& path : paths) {
    if (IsFolder(path)) {
      for (const std::string& name : host.files.List(path)) {
        if (name.ends_with(".whl")) open(fmt::format("{}/{}", path, name));
      }
      continue;
    }
    if (open(path)) continue;
    diagnostics.Report(
        {.code = "no-file",
         .message = fmt::format("{} cannot be read: {}", QuotedPath(path), files.back().problem),
         .hint = "give wheels, or the folder that contains them"});
  }
  return files;
}

int RunWheelInspect(const Arguments& arguments, Host& host) {
  Diagnostics diagnostics;
  const std::optional<AskedTargets> asked = ReadGfxOptions(arguments, host, diagnostics);
  const std::vector<InspectedFile> files = OpenFiles(arguments.positional, host, diagnostics);
  if (!asked || diagnostics.errors() > 0) return Refuse(diagnostics, arguments, host);

  const CodeReport report =
      MakeCodeReport(ReadWheelCode(files, host.machine.cores),
                     {.targets = asked->targets, .except = arguments.All("except")});
  const bool color = UsesColor(TakeColor(arguments), host.err_is_terminal, host);
  const ReportFormat format = host.in_actions() ? ReportFormat::kGithub : ReportFormat::kText;
  if (arguments.Get("format") == "json") {
    host.out << CodeJson(report);
  } else {
    host.out << CodeTable(report);
    host.out.flush();
    Log(host).Report(CodeFindingsText(report, format, color));
    Log(host).stream().flush();
    host.out << CodeVerdict(report) << "\n";
  }
  if (host.in_actions()) JobFiles(host).AddSummary(CodeSummary(report));
  return report.errors() > 0 ? kFound : kSuccess;
}

}  // namespace

Command WheelInspectCommand() {
  return {
      .name = "wheel inspect",
      .purpose = "List the GPUs for which wheels have code, and check that none is missing",
      .usage = "DIR|FILE...",
      .about =
          "Finds the device code in every shared object, program, static archive and code object "
          "of wheels (or in such files themselves): offload bundles, plain and compressed, several "
          "in a file, and offload binaries. Nothing is unpacked to disk, and no tool of LLVM is "
          "needed. docs/hip.md describes the formats.\n\nWith --family or --target it is a check: "
          "a file with device code but none for a requested GPU is an error, and so is an "
          "unreadable file; the exit status is 1 then. The step summary has a bar chart of the "
          "size by GPU.\n",
      .options = WithGfxOptions(
          {{.name = "except",
            .argument = "PATTERN",
            .help = "Files that may have code for fewer GPUs, such as '*/libaotriton*'; may be "
                    "given several times"},
           {.name = "format",
            .argument = "FORMAT",
            .help = "The format of the report (default: text)",
            .values = {"text", "json"}}}),
      .examples = {{"wheelrun wheel inspect dist --family gfx110X-all",
                    "Does every library have code for every GPU of the family?"},
                   {"wheelrun wheel inspect libtorch_hip.so", "What does it contain?"}},
      .least_positional = 1,
      .most_positional = 1000,
      .run_on_host = RunWheelInspect,
  };
}

}  // namespace wheelwright
