// Checks good practice: time limits, names, no credentials left on disk, no constant conditions.
#include <fmt/format.h>

#include <algorithm>

#include "base/characters.h"
#include "base/text.h"
#include "generator/expression/parse.h"
#include "generator/link/rules.h"
#include "generator/yaml/text_places.h"

namespace wheelwright {
namespace {

constexpr std::size_t kHostedMinutes = 360;

// GitHub's own labels: ubuntu-24.04, windows-latest; not macos-m1-stable.
bool IsHostedLabel(std::string_view label) {
  const std::size_t dash = label.find('-');
  if (dash == std::string_view::npos) return false;
  const std::string_view system = label.substr(0, dash);
  const std::string_view image = label.substr(dash + 1);
  return (system == "ubuntu" || system == "windows" || system == "macos") &&
         (image.starts_with("latest") || (!image.empty() && IsDigit(image[0])));
}

// Calls visit(label) for each label of `runs-on`.
template <typename Visit>
void VisitLabels(const Node* runs_on, const Visit& visit) {
  if (!runs_on) return;
  if (runs_on->is_mapping()) runs_on = Find(runs_on, "labels");
  if (!runs_on) return;
  if (runs_on->is_scalar()) visit(*runs_on);
  for (const Node* item : runs_on->items) visit(*item);
}

void CheckTimeouts(const Linking& linking, const Job& job) {
  if (!job.timeout) {
    linking.Report(
        linking.rules().timeouts,
        At(job.key, "missing-timeout", fmt::format("job '{}' has no 'timeout-minutes'", job.id),
           fmt::format("without it a hung job is stopped after {} minutes",
                       linking.context.limits.default_timeout_minutes)));
  } else if (job.timeout.value->kind == NodeKind::kNumber) {
    bool hosted = false;
    VisitLabels(job.runs_on.value, [&](const Node& label) { hosted |= IsHostedLabel(label.text); });
    const std::size_t most = hosted ? kHostedMinutes : linking.context.limits.job_minutes;
    const double minutes = NumberValue(*job.timeout.value);
    if (most != 0 && (minutes > static_cast<double>(most) || minutes <= 0)) {
      // GitHub accepts larger numbers but ends the job at its own limit.
      linking.Report(
          minutes <= 0 ? RuleLevel::kError : linking.rules().timeouts,
          At(job.timeout.value, "bad-timeout",
             fmt::format("job '{}' may run for {} minutes, and {} ends after {}", job.id,
                         job.timeout.text(), hosted ? "a job on GitHub's machines" : "a job",
                         WithThousands(most))));
    }
  }
  if (linking.rules().checkout_timeouts == RuleLevel::kOff) return;
  for (const WorkflowStep& step : job.steps) {
    if (step.timeout || ActionName(step.uses.text()) != "actions/checkout") continue;
    linking.Report(linking.rules().checkout_timeouts,
                   At(step.uses.value, "missing-checkout-timeout",
                      fmt::format("a checkout in job '{}' has no 'timeout-minutes'", job.id),
                      "a fetch may hang for hours"));
  }
}

void CheckRunner(const Linking& linking, const Job& job) {
  VisitLabels(job.runs_on.value, [&](const Node& label) {
    if (!IsHostedLabel(label.text) || !label.text.ends_with("-latest")) return;
    const std::string_view fixed = label.text.starts_with("ubuntu")    ? "ubuntu-24.04"
                                   : label.text.starts_with("windows") ? "windows-2025"
                                                                       : "macos-15";
    linking.Report(
        linking.rules().fixed_runners,
        At(&label, "moving-runner", fmt::format("'{}' will become another image", label.text),
           fmt::format("name it: '{}'", fixed)));
  });
}

void CheckCheckout(const Linking& linking, const Job& job, const WorkflowStep& step) {
  const Node* persist = Find(step.with.value, "persist-credentials");
  if (!persist || persist->text != "false") {
    linking.Report(
        linking.rules().checkout_credentials,
        At(persist ? persist : step.uses.value, "checkout-keeps-credentials",
           fmt::format("a checkout in job '{}' leaves the token in .git/config for all later steps",
                       job.id),
           "add 'persist-credentials: false'"));
  }
}

void CheckCommands(const Linking& linking, const Node& run) {
  struct Command {
    std::string_view text, instead;
    bool disabled = false;  // the step fails
  };
  if (run.text.find("::") == std::string_view::npos) return;
  TextPlaces places(linking.context.sources);
  for (const Command& command :
       {Command{"::set-output ", "GITHUB_OUTPUT"}, Command{"::save-state ", "GITHUB_STATE"},
        Command{"::set-env ", "GITHUB_ENV", true}, Command{"::add-path::", "GITHUB_PATH", true}}) {
    for (std::size_t at = run.text.find(command.text); at != std::string_view::npos;
         at = run.text.find(command.text, at + 1)) {
      Diagnostic diagnostic =
          At(&run, "deprecated-command",
             fmt::format("'{}' {}", Trim(command.text),
                         command.disabled ? "is disabled: the step fails"
                                          : "is deprecated and will stop working"),
             fmt::format("append to the file ${}", command.instead));
      diagnostic.where = places.Locate(run, at, Trim(command.text).size());
      linking.Report(command.disabled || linking.rules().names == RuleLevel::kError
                         ? RuleLevel::kError
                         : RuleLevel::kWarning,
                     std::move(diagnostic));
    }
  }
}

// A condition with text around its brackets is a string that is never empty, so it is always true.
void CheckCondition(const Linking& linking, const Field& field) {
  const Node& value = *field.value;
  const GithubText& parsed = linking.workflow.Text(value.text, true);
  if (parsed.error || parsed.expressions.empty()) return;
  if (!parsed.whole) {
    // For example a block that keeps its last line feed.
    const Embedded& first = parsed.expressions[0].at;
    const bool folded = parsed.expressions.size() == 1 && Trim(value.text).starts_with("${{") &&
                        Trim(value.text).size() == first.end - first.begin;
    linking.Report(At(&value, "constant-condition",
                      folded ? "this condition is always true: the line feed behind '${{ }}' "
                               "makes a string of it"
                             : "this condition is always true: text around '${{ }}' makes a "
                               "string of it",
                      folded && value.style == NodeStyle::kLiteral ? "write 'if: |-'"
                      : folded && value.style == NodeStyle::kFolded
                          ? "write 'if: >-'"
                          : "put the whole condition inside '${{ }}'"));
    return;
  }
  std::string_view text = parsed.expressions[0].text;
  text = Trim(text);
  if (EqualsIgnoringCase(text, "true") || EqualsIgnoringCase(text, "false")) {
    linking.Report(
        linking.rules().live_conditions,
        At(&value, "constant-condition", fmt::format("this condition is always {}", ToLower(text)),
           EqualsIgnoringCase(text, "true") ? "remove it" : "remove what it guards"));
  }
}

void CheckNames(const Linking& linking) {
  if (linking.rules().names == RuleLevel::kOff) return;
  const Workflow& workflow = linking.workflow;
  if (!workflow.name) {
    linking.Report(linking.rules().names,
                   At(workflow.on.key ? workflow.on.key : workflow.root, "missing-workflow-name",
                      fmt::format("{} has no 'name'", linking.file.name)));
  }
  std::vector<const Job*> named;
  for (const Job& job : workflow.jobs) {
    if (job.name) {
      named.push_back(&job);
    } else {
      linking.Report(linking.rules().names, At(job.key, "missing-job-name",
                                               fmt::format("job '{}' has no 'name'", job.id)));
    }
  }
  std::ranges::stable_sort(named, {}, [](const Job* job) { return job->name.text(); });
  for (std::size_t i = 1; i < named.size(); ++i) {
    if (named[i]->name.text() != named[i - 1]->name.text()) continue;
    Diagnostic diagnostic = At(named[i]->name.value, "duplicate-job-name",
                               fmt::format("jobs '{}' and '{}' have the same name '{}'",
                                           named[i - 1]->id, named[i]->id, named[i]->name.text()));
    diagnostic.related.push_back({named[i - 1]->name.value->where, "the other one"});
    diagnostic.notes.push_back("checks of a branch are known by the names of jobs");
    linking.Report(linking.rules().names, std::move(diagnostic));
  }
}

void CheckConcurrency(const Linking& linking) {
  const Workflow& workflow = linking.workflow;
  if (workflow.concurrency) return;
  for (const Event& event : workflow.events) {
    if (event.name != "push" && event.name != "pull_request") continue;
    linking.Report(linking.rules().concurrency,
                   At(event.key, "missing-concurrency",
                      fmt::format("runs of {} for the same branch pile up", linking.file.name),
                      "add 'concurrency'"));
    return;
  }
}

}  // namespace

std::string_view ActionName(std::string_view uses) {
  uses = uses.substr(0, uses.find('@'));
  const std::size_t owner = uses.find('/');
  if (owner == std::string_view::npos) return uses;
  return uses.substr(0, uses.find('/', owner + 1));
}

void CheckHygiene(const Linking& linking) {
  CheckNames(linking);
  CheckConcurrency(linking);
  for (const Job& job : linking.workflow.jobs) {
    if (job.condition) CheckCondition(linking, job.condition);
    if (job.is_call()) continue;
    CheckTimeouts(linking, job);
    CheckRunner(linking, job);
    for (const WorkflowStep& step : job.steps) {
      if (step.condition) CheckCondition(linking, step.condition);
      if (step.run && step.run.value->is_string()) CheckCommands(linking, *step.run.value);
      if (ActionName(step.uses.text()) == "actions/checkout") CheckCheckout(linking, job, step);
    }
  }
}

}  // namespace wheelwright
