// Checks that dispatched workflows exist and accept their inputs.
#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "generator/link/rules.h"

namespace wheelwright {
namespace {

class SetCheck {
 public:
  SetCheck(std::span<const FileUsage> files, const LinkContext& context, Diagnostics& diagnostics)
      : context_(context), diagnostics_(diagnostics) {
    for (const FileUsage& file : files) {
      if (file.own && file.own->dispatchable) targets_.push_back(&*file.own);
      names_.push_back(file.name);
    }
    for (const WorkflowInterface& one : context.interfaces.all()) {
      if (one.dispatchable) targets_.push_back(&one);
    }
    std::ranges::stable_sort(targets_, {}, &WorkflowInterface::name);
    for (const WorkflowInterface* target : targets_) dispatchable_.push_back(target->name);
    std::ranges::sort(names_);
  }

  void Check(const Dispatch& dispatch) {
    if (dispatch.target.empty() || dispatch.by_name || dispatch.elsewhere ||
        dispatch.event != "workflow_dispatch") {
      return;
    }
    const auto at = std::ranges::lower_bound(
        targets_, std::string_view(dispatch.target), {},
        [](const WorkflowInterface* one) -> std::string_view { return one->name; });
    if (at == targets_.end() || (*at)->name != dispatch.target) {
      const bool exists = std::ranges::binary_search(names_, std::string_view(dispatch.target)) ||
                          context_.interfaces.Find(dispatch.target);
      Report(dispatch, dispatch.where, exists ? "not-dispatchable" : "unknown-workflow",
             exists ? fmt::format("{} cannot be dispatched: it has no 'workflow_dispatch'",
                                  dispatch.target)
                    : fmt::format("there is no workflow {}", dispatch.target),
             exists ? "" : DidYouMean(dispatch.target, dispatchable_), {});
      return;
    }
    CheckInputs(dispatch, **at);
  }

 private:
  void Report(const Dispatch& dispatch, SourceRange where, std::string_view code,
              std::string message, std::string hint, SourceRange declared) {
    Diagnostic diagnostic;
    diagnostic.code = code;
    diagnostic.message = std::move(message);
    diagnostic.where = where;
    diagnostic.hint = std::move(hint);
    diagnostic.instance = dispatch.instance;
    if (declared.known()) diagnostic.related.push_back({declared, "declared here"});
    diagnostics_.Report(std::move(diagnostic));
  }

  void CheckInputs(const Dispatch& dispatch, const WorkflowInterface& target) {
    if (!dispatch.inputs_known) return;
    std::vector<std::string_view> names;
    for (const WorkflowInterface::Input& input : target.dispatch_inputs)
      names.push_back(input.name);
    for (const Dispatch::Given& given : dispatch.inputs) {
      const WorkflowInterface::Input* input = target.FindDispatchInput(given.name);
      if (!input) {
        Report(dispatch, given.where, "unknown-input",
               fmt::format("{} cannot be dispatched with an input '{}'", target.name, given.name),
               DidYouMean(given.name, names), target.where);
      } else if (given.value) {
        CheckGiven(dispatch, target, *input, given);
      }
    }
    for (const WorkflowInterface::Input& input : target.dispatch_inputs) {
      if (!input.required || input.has_default) continue;
      const auto is_given = [&](const Dispatch::Given& given) {
        return EqualsIgnoringCase(given.name, input.name);
      };
      if (std::ranges::any_of(dispatch.inputs, is_given)) continue;
      Report(
          dispatch, dispatch.where, "missing-input",
          fmt::format("{} is dispatched without the required input '{}'", target.name, input.name),
          "", input.where);
    }
  }

  void CheckGiven(const Dispatch& dispatch, const WorkflowInterface& target,
                  const WorkflowInterface::Input& input, const Dispatch::Given& given) {
    if (input.type == InputType::kBoolean && *given.value != "true" && *given.value != "false") {
      Report(dispatch, given.where, "input-type",
             fmt::format("the input '{}' of {} is a boolean, and this is '{}'", input.name,
                         target.name, *given.value),
             "", input.where);
    }
    if (input.type != InputType::kChoice ||
        std::ranges::find(input.options, *given.value) != input.options.end()) {
      return;
    }
    const std::vector<std::string_view> options(input.options.begin(), input.options.end());
    Report(dispatch, given.where, "unknown-choice",
           fmt::format("'{}' is none of the options of '{}' of {}", *given.value, input.name,
                       target.name),
           DidYouMean(*given.value, options), input.where);
  }

  const LinkContext& context_;
  Diagnostics& diagnostics_;
  std::vector<const WorkflowInterface*> targets_;
  std::vector<std::string_view> dispatchable_;
  std::vector<std::string_view> names_;
};

}  // namespace

void LinkSet(std::span<const FileUsage> files, const LinkContext& context,
             Diagnostics& diagnostics) {
  SetCheck check(files, context, diagnostics);
  for (const FileUsage& file : files) {
    for (const Dispatch& dispatch : file.dispatches) check.Check(dispatch);
  }
  CheckInstallations(files, diagnostics);
  CheckStartedRuns(files, context, diagnostics);
}

}  // namespace wheelwright
