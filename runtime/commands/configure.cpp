#include <fmt/format.h>

#include <optional>
#include <ostream>

#include "base/text.h"
#include "runtime/commands/commands.h"
#include "runtime/commands/input/checked_input.h"
#include "runtime/host/actions/job_files.h"
#include "runtime/host/event/changes.h"
#include "runtime/host/event/event_file.h"
#include "runtime/wheels/plan/plan.h"
#include "selection/outputs.h"
#include "selection/report.h"

namespace wheelwright {
namespace {

std::optional<JobEvent> TakeEvent(const Arguments& arguments, Host& host,
                                  Diagnostics& diagnostics) {
  Variables variables = host.variables;
  if (arguments.Has("event")) variables["GITHUB_EVENT_NAME"] = arguments.Get("event");
  std::string path(arguments.Get("event-file"));
  if (path.empty()) path = host.Variable("GITHUB_EVENT_PATH");
  std::string payload;
  if (!path.empty()) {
    const std::optional<std::string> text = host.files.Read(path);
    if (!text) {
      diagnostics.Report({.code = "event-payload", .message = fmt::format("there is no {}", path)});
      return std::nullopt;
    }
    payload = *text;
  }
  std::optional<JobEvent> event = ReadJobEvent(payload, path, variables, diagnostics);
  if (!event) return std::nullopt;
  event->inputs.workflow = arguments.Get("workflow");
  // The payload has the same inputs again.
  if (arguments.Has("input")) event->inputs.inputs.clear();
  AddTypedInputs(arguments.All("input"), event->inputs, diagnostics);
  return event;
}

template <typename Chosen>
void HandOver(const Chosen& chosen, Host& host) {
  JobFiles job(host);
  for (const auto& [name, value] : JobOutputs(chosen)) job.SetOutput(name, value);
  job.AddSummary(SelectionAsMarkdown(chosen));
  Log(host).stream() << SelectionAsText(chosen);
}

int RunConfigure(const Arguments& arguments, Host& host) {
  Diagnostics diagnostics;
  const std::optional<Plan> plan = ReadPlan(arguments, host, diagnostics);
  std::optional<JobEvent> event = TakeEvent(arguments, host, diagnostics);
  if (!plan || !event || diagnostics.errors() > 0) return Refuse(diagnostics, arguments, host);
  Runner runner(host, false);
  FindChanges(*event, {}, runner);

  if (AsksForRelease(event->inputs)) {
    const auto chosen = SelectRelease(plan->selection, event->inputs, diagnostics);
    if (chosen) HandOver(*chosen, host);
  } else {
    const auto chosen = Select(plan->selection, event->inputs, diagnostics);
    if (chosen) HandOver(*chosen, host);
  }
  return Refuse(diagnostics, arguments, host);
}

}  // namespace

Command ConfigureCommand() {
  return {
      .name = "configure",
      .purpose = "Decide what a run builds and tests, with reasons",
      .usage =
          "[--workflow NAME] [--input NAME=VALUE]... [--event EVENT] [--event-file FILE] "
          "[--plan FILE]",
      .about =
          "Reads the event from the runner (GITHUB_EVENT_NAME, GITHUB_EVENT_PATH), gets the "
          "changed files from git, fetching as much history as necessary, and decides by the "
          "tables in plan.json. `wheelwright select` uses the same rules. A misspelt label or "
          "input is an error.\n\nOutputs: selected, pytorch, runners, test_type and test_labels; "
          "for a release, which the input release_type requests, only selected. The step summary "
          "has a table with each family, selected or not, and the rule that decided.\n",
      .options = {{.name = "workflow",
                   .argument = "NAME",
                   .help = "The calling workflow, such as ci_nightly: only builds for which it has "
                           "jobs can be selected"},
                  {.name = "input",
                   .argument = "NAME=VALUE",
                   .help = "An input of a manual start; may be given several times, and replaces "
                           "the inputs in the payload"},
                  {.name = "event",
                   .argument = "EVENT",
                   .help = "The event (default: the variable GITHUB_EVENT_NAME)"},
                  {.name = "event-file",
                   .argument = "FILE",
                   .help = "The payload of the event (default: the variable GITHUB_EVENT_PATH)"},
                  PlanOption()},
      .examples = {{"wheelrun configure --event schedule --workflow ci_nightly",
                    "What does the nightly run build?"},
                   {"wheelrun configure --event pull_request --event-file event.json",
                    "What would this event have started?"}},
      .outputs = {"selected", "pytorch", "runners", "test_type", "test_labels"},
      .run_on_host = RunConfigure,
  };
}

}  // namespace wheelwright
