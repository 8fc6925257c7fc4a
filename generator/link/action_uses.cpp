// Checks what steps give to actions, those of the repository and known ones of others. GitHub only
// warns of unknown inputs, and does not check required ones.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/text.h"
#include "generator/link/rules.h"

namespace wheelwright {
namespace {

// https://github.blog/changelog/2025-09-19-deprecation-of-node-20-on-github-actions-runners/
constexpr std::array<std::string_view, 4> kGoneRuntimes{"node10", "node12", "node16", "node20"};

bool IsGiven(const Node* with, std::string_view input) {
  return with != nullptr && std::ranges::any_of(with->entries, [&](const Entry& entry) {
           return EqualsIgnoringCase(entry.key->text, input);
         });
}

// "actions/cache" of "actions/cache@v4"; a path as it is.
std::string TitleOf(const ActionInterface& action, std::string_view uses) {
  return action.version.empty() ? std::string(uses)
                                : fmt::format("{}@{}", action.name, action.version);
}

void CheckInputsOf(const Linking& linking, const WorkflowStep& step,
                   const ActionInterface& action) {
  const std::string title = TitleOf(action, step.uses.text());
  const Node* with = step.with && step.with.value->is_mapping() ? step.with.value : nullptr;
  for (const Entry& entry : with == nullptr ? std::span<const Entry>() : with->entries) {
    const std::string_view name = entry.key->text;
    if (const ActionInterface::Input* input = action.FindInput(name)) {
      if (input->deprecation.empty()) continue;
      Diagnostic diagnostic =
          At(entry.key, "deprecated-action-input",
             fmt::format("the input '{}' of {} is deprecated", input->name, title));
      diagnostic.notes.push_back(fmt::format("the action says: {}", OneLine(input->deprecation)));
      linking.Report(linking.rules().action_uses, std::move(diagnostic));
      continue;
    }
    const bool of_docker = action.runtime == "docker" || action.runtime.empty();
    if (action.open_inputs || (of_docker && EqualsAnyIgnoringCase(name, {"args", "entrypoint"}))) {
      continue;
    }
    std::vector<std::string_view> names;
    for (const ActionInterface::Input& input : action.inputs) names.push_back(input.name);
    linking.Report(linking.rules().action_uses, At(entry.key, "unknown-action-input",
                                                   fmt::format("{} has no input '{}'", title, name),
                                                   DidYouMean(name, names, "it has")));
  }
  for (const ActionInterface::Input& input : action.inputs) {
    // Its deprecation says what takes its place.
    if (!input.required || !input.deprecation.empty() || IsGiven(with, input.name)) continue;
    Diagnostic diagnostic =
        At(step.uses.value, "missing-action-input",
           fmt::format("the step does not give {} the required input '{}'", title, input.name));
    if (input.where.known()) diagnostic.related.push_back({input.where, "required here"});
    linking.Report(linking.rules().action_uses, std::move(diagnostic));
  }
}

void CheckAge(const Linking& linking, const WorkflowStep& step, const ActionInterface& action) {
  const int newest = linking.context.known->NewestMajor(action.name);
  const std::string later = fmt::format("{}{}", action.version.starts_with('v') ? "v" : "", newest);
  const std::string hint = later != action.version && newest > 0
                               ? fmt::format("the newest known version is {}", later)
                               : std::string();
  if (!action.ended.empty()) {
    Diagnostic diagnostic = At(step.uses.value, "outdated-action",
                               fmt::format("GitHub fails steps with {}@{} since {}", action.name,
                                           action.version, action.ended),
                               hint);
    diagnostic.notes.push_back(action.ended_source);
    linking.Report(std::move(diagnostic));
  } else if (!hint.empty() &&
             std::ranges::find(kGoneRuntimes, action.runtime) != kGoneRuntimes.end()) {
    linking.Report(
        RuleLevel::kWarning,
        At(step.uses.value, "outdated-action",
           fmt::format("{}@{} is made for {}, which runners no longer have: they run it with a "
                       "later Node.js",
                       action.name, action.version, action.runtime),
           hint));
  } else if (!hint.empty() && !action.version.starts_with("v0") &&
             !action.version.starts_with('0')) {
    linking.Report(
        linking.rules().newest_actions,
        At(step.uses.value, "old-action",
           fmt::format("there are later versions of {} than {}", action.name, action.version),
           hint));
  }
}

// An action of the repository that is not there: the runner fails the step. Not where a step before
// it may have put it there.
class MissingActions {
 public:
  MissingActions(const Linking& linking) : linking_(linking) {}

  void Visit(const WorkflowStep& step) {
    if (step.run) {
      scripts_.push_back(step.run.text());
    } else if (step.uses) {
      const std::string_view uses = step.uses.text();
      if (linking_.context.actions->IsMissing(uses)) Check(step);
      VisitAction(uses, step);
    }
  }

 private:
  void VisitAction(std::string_view uses, const WorkflowStep& step) {
    if (ActionName(uses) != "actions/checkout") {
      others_ = others_ || !uses.starts_with("./");
      return;
    }
    const Node* with = step.with ? step.with.value : nullptr;
    for (const std::string_view input : {"path", "repository", "ref"}) {
      elsewhere_ = elsewhere_ || IsGiven(with, input);
    }
  }

  void Check(const WorkflowStep& step) {
    std::string_view folder = step.uses.text().substr(2);
    while (folder.ends_with('/')) folder.remove_suffix(1);
    const std::string_view name = folder.substr(folder.rfind('/') + 1);
    const bool made = std::ranges::any_of(scripts_, [&](std::string_view script) {
      // Builds make other folders than this one.
      return !folder.starts_with(".github/") || script.find(name) != std::string_view::npos ||
             script.find("git ") != std::string_view::npos;
    });
    if (elsewhere_ || made) return;
    const bool certain = scripts_.empty() && !others_;
    linking_.Report(
        certain ? linking_.rules().present_callees : RuleLevel::kWarning,
        At(step.uses.value, "unknown-action",
           fmt::format("there is no action.yml in {}", folder.empty() ? "the repository" : folder),
           certain ? "" : "unless an earlier step makes it"));
  }

  const Linking& linking_;
  std::vector<std::string_view> scripts_;  // that ran before
  bool others_ = false;                    // actions of other repositories ran before
  bool elsewhere_ = false;                 // checkouts of something else
};

}  // namespace

StepAction FindStepAction(const WorkflowStep& step, const LocalActions* local,
                          const KnownActions* known) {
  StepAction found;
  if (!step.uses || !step.uses.value->is_string()) return found;
  const Node* root = local != nullptr ? local->Find(step.uses.text()) : nullptr;
  if (root != nullptr) {
    found.own = ReadActionInterface(*root);
    found.own.name = step.uses.text();
  } else if (known != nullptr) {
    const auto use = ReadActionUse(step.uses.text(), TrailingComment(step.uses));
    if (use) found.known = known->Find(*use);
  }
  return found;
}

void CheckActionUses(const Linking& linking) {
  for (const Job& job : linking.workflow.jobs) {
    MissingActions missing(linking);
    for (const WorkflowStep& step : job.steps) {
      if (linking.context.actions != nullptr) missing.Visit(step);
      const StepAction action =
          FindStepAction(step, linking.context.actions, linking.context.known);
      if (action.get() == nullptr) continue;
      CheckInputsOf(linking, step, *action.get());
      if (action.known != nullptr) CheckAge(linking, step, *action.known);
    }
  }
}

}  // namespace wheelwright
