#include "generator/commands/plan.h"

#include <algorithm>
#include <ostream>
#include <vector>

#include "generator/commands/commands.h"

namespace wheelwright {

int Plan(const PlanCommandOptions& options, Environment& environment) {
  ProjectRun run(environment, options.common);
  if (!run.Compile(CompileUntil::kText)) return run.End(kWrongInput);
  Compilation& compilation = run.compilation();
  std::vector<WorkflowUsage> usages;
  std::vector<std::string_view> names;
  for (CompiledWorkflow& workflow : compilation.workflows) {
    usages.push_back(workflow.usage);
    names.push_back(workflow.name);
  }
  const bool taken = options.workflow.empty() || std::ranges::any_of(names, [&](auto name) {
                       return TakesFile(options.workflow, name);
                     });
  if (!taken) {
    ReportUnknownName("unknown-file", "generated workflow", options.workflow, names,
                      "`wheelwright plan --all-files` lists them", run.diagnostics);
    return run.End(kWrongInput);
  }
  const PlanOptions plan{.format = options.format,
                         .workflow = options.workflow,
                         .all_files = options.all_files,
                         .each_cell = options.each_cell,
                         .color = run.color_out(),
                         .width = environment.columns};
  const PlanReport report = MakeReport(compilation.matrix, compilation.cells, usages, plan);
  environment.out << RenderReport(report, compilation.matrix.schema, plan, compilation.sources);
  return run.End(kSuccess);
}

Command PlanCommand() {
  return {
      .name = "plan",
      .purpose = "Show every combo, in or out, and why; and how full GitHub's limits are",
      .usage = "[--workflow GLOB] [--combos] [--all-files] [--format table|json|markdown]",
      .about =
          "Goes through every set of the matrix: all choices of one value of each axis. Combos "
          "that are out name the row of the matrix that takes them out, and rules that change "
          "some say why; those in a state that `view` of the schema calls a dead end say what "
          "would mend it. Nothing is written.",
      .options = WithProjectOptions({
          {.name = "workflow",
           .argument = "GLOB",
           .help = "Only these files, and the combos in them; * stands for anything"},
          {.name = "combos",
           .argument = {},
           .help = "A line for each combo, instead of one for those that are alike"},
          {.name = "all-files",
           .argument = {},
           .help = "What each file uses of the limits, instead of the fullest alone"},
          {.name = "format",
           .argument = "FORMAT",
           .help = "A table for people, json for programs, markdown for a pull request",
           .values = {"table", "json", "markdown"}},
      }),
      .examples = {{"wheelwright plan", "What is built and tested, and what is not?"},
                   {"wheelwright plan --combos --workflow 'release_*'", "Each combo of some files"},
                   {"wheelwright plan --all-files", "How large is each workflow?"}},
      .run =
          [](const Arguments& arguments, Environment& environment) {
            const std::string_view format = arguments.Get("format");
            return Plan({.common = TakeCommonOptions(arguments),
                         .format = format == "json"       ? PlanFormat::kJson
                                   : format == "markdown" ? PlanFormat::kMarkdown
                                                          : PlanFormat::kTable,
                         .workflow = std::string(arguments.Get("workflow")),
                         .all_files = arguments.Has("all-files"),
                         .each_cell = arguments.Has("combos")},
                        environment);
          },
  };
}

}  // namespace wheelwright
