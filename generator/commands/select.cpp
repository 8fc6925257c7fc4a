#include <fmt/format.h>

#include <optional>
#include <ostream>
#include <utility>

#include "base/json.h"
#include "generator/commands/commands.h"
#include "generator/commands/project_run.h"
#include "generator/commands/started.h"
#include "selection/report.h"

namespace wheelwright {
namespace {

struct SelectCommandOptions {
  CommonOptions common;
  EventInputs event;
  std::string_view format;
};

// What is selected. Neither: something was reported.
struct Answer {
  std::optional<Selection> ci;
  std::optional<ReleaseSelection> release;
};

// A release by hand says its type; a schedule starts CI and the releases that have one.
Answer Decide(const PlanFile& plan, const EventInputs& event, Diagnostics& diagnostics) {
  Answer answer;
  const bool by_hand = AsksForRelease(event);
  if (!by_hand) answer.ci = Select(plan, event, diagnostics);
  const bool scheduled =
      event.event == "schedule" && event.workflow.empty() && !ScheduledReleases(plan).empty();
  if (by_hand || scheduled) answer.release = SelectRelease(plan, event, diagnostics);
  return answer;
}

template <typename Print>
std::string Join(const Answer& answer, const Print& print) {
  std::string out;
  if (answer.ci) out += print(*answer.ci);
  if (answer.ci && answer.release) out += '\n';
  if (answer.release) out += print(*answer.release);
  return out;
}

std::string RenderAnswer(const Answer& answer, std::string_view format, std::size_t width) {
  if (format == "json") {
    nlohmann::ordered_json json{{"ci", nullptr}, {"release", nullptr}};
    if (answer.ci) json["ci"] = SelectionAsJson(*answer.ci);
    if (answer.release) json["release"] = SelectionAsJson(*answer.release);
    return DumpJson(json, 2) + '\n';
  }
  if (format == "markdown") {
    return Join(answer, [](const auto& selection) { return SelectionAsMarkdown(selection); });
  }
  return Join(answer, [&](const auto& selection) { return SelectionAsText(selection, width); });
}

// Where no rules are written, an event starts what `on` of the workflows says. Labels, inputs and
// the like mean nothing then.
int RunWithoutPlan(const SelectCommandOptions& options, ProjectRun& run) {
  const EventInputs& event = options.event;
  const std::pair<std::string_view, bool> others[] = {
      {"label", !event.labels.empty()},          {"input", !event.inputs.empty()},
      {"variant", !event.variants.empty()},      {"submodule", !event.submodules.empty()},
      {"repository", !event.repository.empty()}, {"fork", event.fork}};
  for (const auto& [name, given] : others) {
    if (!given) continue;
    const Node& setting = *Find(run.compilation().matrix.settings, "plan_file");
    run.diagnostics.Report(
        {.code = "no-plan-tables",
         .message = fmt::format("what --{} means stands in {}, which no template of this project "
                                "makes",
                                name, setting.text),
         .where = setting.where,
         .notes = {fmt::format("`wheelrun plan schema` prints what it must hold; a template with "
                               "`file: {}` makes it",
                               setting.text)}});
    return run.End(kWrongInput);
  }
  run.diagnostics = {};  // said again
  if (!run.Compile(CompileUntil::kText, {"*"})) return run.End(kWrongInput);
  const OccurredEvent occurred{.name = event.event,
                               .branch = event.branch,
                               .changed_files = event.changed_files,
                               .workflow = event.workflow};
  run.environment().out << RenderStarts(FindStarts(run.compilation(), occurred), occurred,
                                        options.format, run.color_out(), run.environment().columns);
  return run.End(kSuccess);
}

int RunSelect(const SelectCommandOptions& options, Environment& environment) {
  ProjectRun run(environment, options.common);
  if (!run.Compile(CompileUntil::kJson)) return run.End(kWrongInput);
  const CompiledJson* file = FindPlan(run.compilation());
  if (file == nullptr) return RunWithoutPlan(options, run);
  // Reads the plan's text, as `wheelrun` does in a job, so that both give the same answer.
  const std::optional<PlanFile> plan = ReadPlanFile(file->text, "the plan", run.diagnostics);
  if (!plan) return run.End(kWrongInput);
  const std::size_t errors = run.diagnostics.errors();
  const Answer answer = Decide(*plan, options.event, run.diagnostics);
  if (run.diagnostics.errors() == errors) {
    environment.out << RenderAnswer(answer, options.format, environment.columns);
  }
  return run.End(kSuccess);
}

// "refs/heads/main" is the branch main.
std::string BranchOf(std::string_view ref) {
  constexpr std::string_view kHeads = "refs/heads/";
  return std::string(ref.starts_with(kHeads) ? ref.substr(kHeads.size()) : ref);
}

int ReadAndRun(const Arguments& arguments, Environment& environment) {
  SelectCommandOptions options{.common = TakeCommonOptions(arguments),
                               .format = arguments.Get("format")};
  EventInputs& event = options.event;
  Diagnostics diagnostics;
  event.event = arguments.Get("event");
  if (event.event.empty()) {
    diagnostics.Report({.code = "missing-argument",
                        .message = "'select' needs an event",
                        .hint = "name one: --event pull_request"});
  }
  event.workflow = arguments.Get("workflow");
  event.branch = BranchOf(arguments.Get("ref"));
  event.labels = arguments.All("label");
  event.variants = arguments.All("variant");
  event.submodules = arguments.All("submodule");
  event.repository = arguments.Get("repository");
  event.fork = arguments.Has("fork");
  if (arguments.Has("changed-file")) event.changed_files = arguments.All("changed-file");
  AddTypedInputs(arguments.All("input"), event, diagnostics);
  if (diagnostics.errors() > 0) {
    PrintDiagnostics(diagnostics, SourceManager(), options.common, {}, environment);
    return kWrongInput;
  }
  return RunSelect(options, environment);
}

}  // namespace

Command SelectCommand() {
  return {
      .name = "select",
      .purpose = "Show what would run for an event, and why",
      .usage =
          "--event EVENT [--ref BRANCH] [--label LABEL]... [--changed-file FILE]... "
          "[--input NAME=VALUE]... [--format text|json|markdown]",
      .about =
          "Decides as the first job of a workflow does: what is built on which runner, where it is "
          "tested, and how thorough tests are; and names the rule for each, in or out. With the "
          "input release_type the run is a release, and a schedule starts both. A typo in a label "
          "or an input is an error. The rules stand in the file `settings.plan_file`, which a "
          "template makes of the matrix; where none does, the filters in `on` of the workflows "
          "decide. Nothing is run.\n",
      .options = WithProjectOptions({
          {.name = "event",
           .argument = "EVENT",
           .help = "What happens, by GitHub's name: pull_request, push, schedule or "
                   "workflow_dispatch"},
          {.name = "ref",
           .argument = "BRANCH",
           .help = "The branch that is pushed to, or that a pull request goes to"},
          {.name = "label",
           .argument = "LABEL",
           .help = "A label of the pull request; may be given several times, like those below"},
          {.name = "changed-file",
           .argument = "FILE",
           .help = "A path that changed; when none is given, what changed counts as not known"},
          {.name = "submodule",
           .argument = "FOLDER",
           .help = "The path of a submodule; a change of it asks for more tests"},
          {.name = "input",
           .argument = "NAME=VALUE",
           .help = "What is typed where a run is started by hand"},
          {.name = "variant",
           .argument = "NAME",
           .help = "A build variant to build, in place of those of the trigger"},
          {.name = "workflow",
           .argument = "NAME",
           .help = "The workflow of CI that is run by hand, such as ci_postsubmit"},
          {.name = "repository",
           .argument = "OWNER/NAME",
           .help = "Where it runs, when that is not the repository of matrix/settings.yml"},
          {.name = "fork", .argument = {}, .help = "The code comes from a fork"},
          {.name = "format",
           .argument = "FORMAT",
           .help = "Text for people, json for programs, markdown for a pull request",
           .values = {"text", "json", "markdown"}},
      }),
      .examples = {{"wheelwright select --event pull_request", "What does a pull request build?"},
                   {"wheelwright select --event pull_request --label run-all-archs-ci --label "
                    "test:miopen",
                    "And with these labels?"},
                   {"wheelwright select --event push --ref main --changed-file docs/index.md",
                    "Does this change need a build?"},
                   {"wheelwright select --event workflow_dispatch --workflow ci_postsubmit",
                    "What does this run by hand build?"},
                   {"wheelwright select --event workflow_dispatch --input release_type=prerelease",
                    "What is in a prerelease, and what will be promoted?"}},
      .run = ReadAndRun,
  };
}

}  // namespace wheelwright
