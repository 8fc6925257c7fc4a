// Resolves paths such as `needs.build.outputs.version` and `steps.x.outcome`.
#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "generator/link/expression_checker.h"

namespace wheelwright {

ExprType ExpressionChecker::StepPath(Path path) {
  if (site_.job == nullptr) return TypeKind::kAny;
  const std::string_view id = *path[0].name;
  const std::span<const WorkflowStep> steps = site_.job->steps;
  const auto step = std::find_if(steps.begin(), steps.end(), [&](const WorkflowStep& one) {
    return one.id && EqualsIgnoringCase(one.id.text(), id);
  });
  const std::size_t known = std::min(site_.steps_before, steps.size());
  if (step == steps.end() || static_cast<std::size_t>(step - steps.begin()) >= known) {
    if (auto diagnostic = Begin(*path[0].expr, "unknown-step")) {
      Names names;
      for (const WorkflowStep& one : steps.subspan(0, known)) {
        if (one.id) names.push_back(one.id.text());
      }
      if (step == steps.end()) {
        diagnostic->message =
            options_.action != nullptr
                ? fmt::format("no step of the action has the id '{}'", id)
                : fmt::format("no step of job '{}' has the id '{}'", site_.job->id, id);
        diagnostic->hint =
            DidYouMean(id, names, known < steps.size() ? "earlier steps:" : "steps:");
      } else {
        const bool itself = static_cast<std::size_t>(step - steps.begin()) == known;
        diagnostic->message = itself ? fmt::format("step '{}' reads its own results", id)
                                     : fmt::format("step '{}' runs later", id);
        diagnostic->related.push_back({step->id.value->where, "it is here"});
      }
      diagnostics_->Report(std::move(*diagnostic));
    }
    return TypeKind::kAny;
  }
  if (path.size() > 2 && path[1].name && path[2].name &&
      EqualsIgnoringCase(*path[1].name, "outputs")) {
    CheckStepOutput(*step, path[2]);
  }
  return Follow(TypeOfStepResult(), path.subspan(1));
}

void ExpressionChecker::CheckStepOutput(const WorkflowStep& step, const Segment& output) {
  if (step.run && options_.programs != nullptr && !options_.programs->empty()) {
    const auto outputs = OutputsOfScript(step.run.text(), *options_.programs);
    if (!outputs || EqualsAnyIgnoringCase(*output.name, Names(outputs->begin(), outputs->end()))) {
      return;
    }
    if (auto diagnostic = Begin(*output.expr, "unknown-step-output")) {
      diagnostic->message = fmt::format("the script of step '{}' writes no output '{}'",
                                        step.id.text(), *output.name);
      diagnostic->hint =
          DidYouMean(*output.name, Names(outputs->begin(), outputs->end()), "it writes");
      diagnostic->related.push_back({step.run.value->where, "the script"});
      diagnostics_->Report(std::move(*diagnostic));
    }
    return;
  }
  const StepAction found = FindStepAction(step, options_.actions, options_.known);
  const ActionInterface* action = found.get();
  if (action == nullptr || action->open_outputs || action->HasOutput(*output.name)) return;
  auto diagnostic = Begin(*output.expr, "unknown-action-output");
  if (!diagnostic) return;
  Names names(action->outputs.begin(), action->outputs.end());
  if (options_.lax) diagnostic->severity = Severity::kWarning;
  diagnostic->message = fmt::format(
      "{} has no output '{}'",
      action->version.empty() ? action->name : fmt::format("{}@{}", action->name, action->version),
      *output.name);
  diagnostic->hint = DidYouMean(*output.name, names, names.empty() ? "" : "it has");
  diagnostic->related.push_back({step.uses.value->where, "the action"});
  diagnostics_->Report(std::move(*diagnostic));
}

ExprType ExpressionChecker::NeedPath(Path path) {
  if (site_.job == nullptr) return TypeKind::kAny;
  const std::string_view id = *path[0].name;
  const Job* job = workflow_.FindJob(id);
  const auto needs = site_.job->needs;
  const bool needed = std::any_of(needs.begin(), needs.end(), [&](const Need& need) {
    return EqualsIgnoringCase(need.id, id);
  });
  // An unknown need is reported by CheckNeeds().
  if (needed) return job == nullptr ? TypeKind::kAny : JobResult(*job, path);
  if (auto diagnostic = Begin(*path[0].expr, "unknown-need")) {
    Names names;
    for (const Need& need : needs) names.push_back(need.id);
    if (job != nullptr) {
      diagnostic->message = fmt::format("job '{}' does not need '{}'", site_.job->id, id);
      diagnostic->hint = "add it to 'needs'";
      const Node* place = site_.job->needs_field ? site_.job->needs_field.key : site_.job->key;
      diagnostic->related.push_back(
          {place->where, site_.job->needs_field ? "its needs" : "it has no 'needs'"});
    } else {
      diagnostic->message = fmt::format("there is no job '{}'", id);
      diagnostic->hint = DidYouMean(id, names, "needed are");
    }
    diagnostics_->Report(std::move(*diagnostic));
  }
  return TypeKind::kAny;
}

ExprType ExpressionChecker::JobPath(Path path) {
  const Job* job = workflow_.FindJob(*path[0].name);
  if (job != nullptr) return JobResult(*job, path);
  if (auto diagnostic = Begin(*path[0].expr, "unknown-job")) {
    diagnostic->message = fmt::format("there is no job '{}'", *path[0].name);
    Names names;
    for (const Job& one : workflow_.jobs) names.push_back(one.id);
    diagnostic->hint = DidYouMean(*path[0].name, names, "there are");
    diagnostics_->Report(std::move(*diagnostic));
  }
  return TypeKind::kAny;
}

ExprType ExpressionChecker::JobResult(const Job& job, Path path) {
  const bool output =
      path.size() > 2 && path[1].name && EqualsIgnoringCase(*path[1].name, "outputs");
  if (output) CheckOutput(job, path[2]);
  return Follow(TypeOfJobResult(), path.subspan(1));
}

void ExpressionChecker::CheckOutput(const Job& job, const Segment& output) {
  if (!output.name) return;
  const std::string_view callee = job.is_call() ? InterfaceName(job.uses.text()) : "";
  Names names;
  SourceRange declared;
  if (job.is_call()) {
    const WorkflowInterface* interface = options_.interfaces.Find(callee);
    if (interface == nullptr || interface->FindOutput(*output.name) != nullptr) return;
    for (const auto& one : interface->outputs) names.push_back(one.name);
    declared = interface->outputs.empty() ? interface->where : interface->outputs.front().where;
  } else {
    if (job.outputs && !job.outputs.value->is_mapping()) return;
    for (const Entry& entry : job.outputs ? job.outputs.value->entries : std::span<const Entry>{}) {
      if (EqualsIgnoringCase(entry.key->text, *output.name)) return;
      names.push_back(entry.key->text);
    }
    declared = job.outputs ? job.outputs.key->where : job.key->where;
  }
  auto diagnostic = Begin(*output.expr, "undeclared-output");
  if (!diagnostic) return;
  diagnostic->message = fmt::format("job '{}' has no output '{}'", job.id, *output.name);
  diagnostic->hint = DidYouMean(*output.name, names, "it has");
  const std::string owner = job.is_call() ? std::string(callee) : fmt::format("job '{}'", job.id);
  if (declared.known()) {
    diagnostic->related.push_back(
        {declared, names.empty() ? fmt::format("{} declares no outputs", owner)
                                 : fmt::format("outputs of {} are declared here", owner)});
  } else if (job.is_call()) {
    diagnostic->notes.push_back(fmt::format("the job calls {}", callee));
  }
  diagnostics_->Report(std::move(*diagnostic));
}

}  // namespace wheelwright
