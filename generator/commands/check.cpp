#include "generator/commands/check.h"

#include <fmt/format.h>

#include <optional>
#include <ostream>
#include <utility>

#include "base/text.h"
#include "generator/commands/commands.h"
#include "generator/commands/drift.h"
#include "generator/compile/unread_sets.h"
#include "generator/matrix/acknowledged.h"
#include "generator/matrix/checks.h"
#include "generator/output/folder.h"
#include "generator/pins/adopt.h"

namespace wheelwright {
namespace {

// The command line that repairs what this one found.
std::string RepairLine(const CheckOptions& options) {
  std::string line = "wheelwright generate";
  if (!options.common.root.empty() && options.common.root != ".") {
    line += fmt::format(" --root {}", options.common.root);
  }
  if (!options.out.empty()) line += fmt::format(" --out {}", options.out);
  return line;
}

}  // namespace

int Check(const CheckOptions& options, Environment& environment) {
  ProjectRun run(environment, options.common, "nothing was compared");
  if (!run.Compile(CompileUntil::kText)) return run.End(kWrongInput);
  const std::string folder = run.OutputFolder(options.out);
  const std::optional<Difference> difference = run.Measure("compare", [&] {
    return CompareFolder(environment.files, folder, TakeOutput(run.compilation()), run.threads(),
                         run.diagnostics);
  });
  if (!difference) return run.End(kWrongInput);

  // Warnings; they do not change the exit status.
  const Compilation& made = run.compilation();
  Acknowledgements acknowledged(made.matrix);
  RunChecks(*made.matrix.schema.checks, Severity::kWarning, made.context.scope(), made.sources,
            run.diagnostics, &acknowledged);
  ReportUnreadSets(made, acknowledged, run.diagnostics);
  acknowledged.ReportUnused(made.matrix, run.diagnostics);

  const ReportFormat format = options.common.format;
  if (const std::size_t known = acknowledged.warnings();
      known > 0 && format != ReportFormat::kJson) {
    environment.err << fmt::format("{} in matrix/acknowledged.yml: `wheelwright plan` lists {}\n",
                                   Count(known, "known warning"), known == 1 ? "it" : "them");
  }
  if (difference->empty() && format != ReportFormat::kJson) {
    environment.out << fmt::format("{}/ is current: {}\n", folder,
                                   Count(difference->current, "file"));
    return run.End(kSuccess);
  }
  const Matrix& matrix = run.compilation().matrix;
  // A moved tag or two new pins of one action need a decision by a person; the input is not wrong.
  Diagnostics odd_pins;
  std::vector<Bump> bumps = FindBumps(matrix.actions, matrix.images, difference->stale, odd_pins);
  const bool color = format == ReportFormat::kText && run.color_out();
  const Drift drift = run.Measure("describe", [&] {
    return DescribeDrift(*difference, folder, RepairLine(options), std::move(bumps), color);
  });
  switch (format) {
    case ReportFormat::kText:
      environment.out << DriftAsText(drift, options.all, Paint{color});
      break;
    case ReportFormat::kGithub:
      environment.out << DriftAsWorkflowCommands(drift, options.all);
      break;
    case ReportFormat::kJson:
      environment.out << DriftAsJson(drift);
      break;
  }
  run.End(kFound);
  if (!odd_pins.empty()) {
    PrintDiagnostics(odd_pins, run.compilation().sources, options.common, {}, environment);
  }
  return difference->empty() ? kSuccess : kFound;
}

Command CheckCommand() {
  return {
      .name = "check",
      .purpose = "Tell whether the generated workflows are current, and what differs",
      .usage = "[--out DIR] [--all] [--format text|github|json]",
      .about =
          "Makes all workflows in memory and compares them with the folder of generated files. "
          "Says "
          "which files differ, are missing or left over, what that means in jobs and settings, and "
          "the unified diff; and the command that repairs it. Nothing is written. The exit status "
          "is 1 when something differs.",
      .options = WithProjectOptions({
          {.name = "out",
           .argument = "DIR",
           .help = "The folder to compare with (default: `output` of matrix/settings.yml)"},
          {.name = "all", .argument = {}, .help = "Print every diff, however long"},
          FormatOption(),
      }),
      .examples = {{"wheelwright check", "Before a commit, or in a hook"},
                   {"wheelwright check --format github",
                    "In continuous integration: each file that is not current is annotated"}},
      .run =
          [](const Arguments& arguments, Environment& environment) {
            return Check({.common = TakeCommonOptions(arguments),
                          .out = std::string(arguments.Get("out")),
                          .all = arguments.Has("all")},
                         environment);
          },
  };
}

}  // namespace wheelwright
