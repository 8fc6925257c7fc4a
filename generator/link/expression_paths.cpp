// Resolves paths such as `github.ref` and `inputs.version`.
#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "generator/link/expression_checker.h"
#include "generator/link/rules.h"

namespace wheelwright {
namespace {

TypeKind TypeOfInput(const Input& input) {
  switch (input.type) {
    case InputType::kBoolean:
      return TypeKind::kBoolean;
    case InputType::kNumber:
      return TypeKind::kNumber;
    case InputType::kUnknown:
      return TypeKind::kAny;
    default:
      return TypeKind::kText;
  }
}

}  // namespace

ExprType ExpressionChecker::TypeOfName(const Expr& root, Path path) {
  const std::optional<Context> context = FindContext(root.name);
  if (!context) {
    if (auto diagnostic = Begin(root, "unknown-context")) {
      const Names names = site_.place->contexts.Names();
      diagnostic->message = fmt::format("there is no context '{}'", root.name);
      diagnostic->hint = DidYouMean(root.name, names);
      for (const std::string_view literal : {"true", "false", "null"}) {
        if (EqualsIgnoringCase(root.name, literal)) {
          diagnostic->hint = fmt::format("write '{}'", literal);
        }
      }
      if (diagnostic->hint.empty()) diagnostic->hint = "write strings in single quotes";
      diagnostics_->Report(std::move(*diagnostic));
    }
    return TypeKind::kAny;
  }
  if (!site_.place->contexts.Has(*context)) {
    if (auto diagnostic = Begin(root, "context-not-available")) {
      std::vector<std::string> names;
      for (const std::string_view name : site_.place->contexts.Names()) names.emplace_back(name);
      diagnostic->message =
          fmt::format("'{}' is not available in {}", NameOf(*context), site_.place->Title());
      diagnostic->hint = fmt::format("available: {}", JoinWords(names));
      diagnostics_->Report(std::move(*diagnostic));
    }
    return TypeKind::kAny;
  }
  if (path.empty()) return TypeKind::kObject;
  if (!path[0].name) return TypeKind::kAny;
  switch (*context) {
    case Context::kGithub:
      CheckDispatchInput(path);
      break;
    case Context::kSecrets:
      CheckSecret(*path[0].name, path[0]);
      break;
    case Context::kInputs:
      return InputPath(path);
    case Context::kNeeds:
      return NeedPath(path);
    case Context::kMatrix:
      return MatrixPath(path);
    case Context::kSteps:
      return StepPath(path);
    case Context::kJobs:
      return JobPath(path);
    default:
      break;
  }
  return Follow(TypeOfContext(*context), path);
}

void ExpressionChecker::ReportNoProperties(const Segment& segment, ExprType scalar) {
  const Expr& object = *segment.expr->operands[0];
  const std::string_view what = scalar.kind == TypeKind::kText     ? "a text"
                                : scalar.kind == TypeKind::kNumber ? "a number"
                                                                   : "a boolean";
  const bool may_be_json = object.kind == ExprKind::kProperty &&
                           !EqualsIgnoringCase(Written(object).substr(0, 7), "github.");
  Report(*segment.expr, "unknown-property",
         fmt::format("{} is {} and has no properties", Quoted(object), what),
         scalar.kind == TypeKind::kText && may_be_json
             ? fmt::format("if it is JSON, write fromJSON({})", Written(object))
             : "");
}

void ExpressionChecker::ReportUnknownProperty(const Segment& segment, ExprType object) {
  const bool lax =
      options_.lax && EqualsIgnoringCase(Written(*segment.expr).substr(0, 7), "matrix.");
  if (lax && HasFallback(*segment.expr)) return;
  if (auto diagnostic = Begin(*segment.expr, "unknown-property")) {
    Names names;
    for (const Property& property : object.properties) names.push_back(property.name);
    diagnostic->message =
        fmt::format("{} has no property '{}'", Quoted(*segment.expr->operands[0]), *segment.name);
    diagnostic->hint = DidYouMean(*segment.name, names, "it has");
    if (lax) diagnostic->severity = Severity::kWarning;
    diagnostics_->Report(std::move(*diagnostic));
  }
}

// github.event.inputs.<name>: a called workflow sees the event of its caller.
void ExpressionChecker::CheckDispatchInput(Path path) {
  const bool input = path.size() > 2 && path[1].name && path[2].name &&
                     EqualsIgnoringCase(*path[0].name, "event") &&
                     EqualsIgnoringCase(*path[1].name, "inputs");
  const Event* dispatch = workflow_.FindEvent("workflow_dispatch");
  if (!input || dispatch == nullptr || workflow_.FindEvent("workflow_call") != nullptr) return;
  if (workflow_.FindDispatchInput(*path[2].name) != nullptr) {
    Follow(TypeKind::kText, path.subspan(3));
    return;
  }
  if (auto diagnostic = Begin(*path[2].expr, "undeclared-input")) {
    if (options_.lax) diagnostic->severity = Severity::kWarning;
    diagnostic->message = fmt::format("workflow_dispatch declares no input '{}'", *path[2].name);
    diagnostic->hint = DidYouMean(*path[2].name, NamesOf(workflow_.dispatch_inputs), "it declares");
    diagnostic->related.push_back({dispatch->key->where, "inputs are declared here"});
    diagnostics_->Report(std::move(*diagnostic));
  }
}

ExprType ExpressionChecker::InputPath(Path path) {
  const std::string_view name = *path[0].name;
  const Event* call_event = workflow_.FindEvent("workflow_call");
  const Event* dispatch_event = workflow_.FindEvent("workflow_dispatch");
  const Input* call = workflow_.FindCallInput(name);
  const Input* dispatch = workflow_.FindDispatchInput(name);
  const bool call_lacks = call_event != nullptr && call == nullptr;
  const bool dispatch_lacks = dispatch_event != nullptr && dispatch == nullptr;
  const Input* declared = call != nullptr ? call : dispatch;
  if (declared == nullptr) {
    if (auto diagnostic = Begin(*path[0].expr, "undeclared-input")) {
      Names names = NamesOf(workflow_.call_inputs);
      for (const std::string_view other : NamesOf(workflow_.dispatch_inputs)) {
        if (!EqualsAnyIgnoringCase(other, names)) names.push_back(other);
      }
      if (options_.lax) diagnostic->severity = Severity::kWarning;
      diagnostic->message = fmt::format("no input '{}' is declared", name);
      diagnostic->hint = DidYouMean(name, names, "there are");
      for (const Event* event : {call_event, dispatch_event}) {
        if (event != nullptr) {
          diagnostic->related.push_back({event->key->where, "inputs are declared here"});
        }
      }
      if (diagnostic->related.empty() && options_.action == nullptr) {
        diagnostic->notes.push_back(
            "inputs are declared by the triggers workflow_call and workflow_dispatch");
      }
      diagnostics_->Report(std::move(*diagnostic));
    }
    return TypeKind::kAny;
  }
  if (options_.both_sides && (call_lacks || dispatch_lacks)) {
    if (auto diagnostic = Begin(*path[0].expr, "undeclared-input")) {
      diagnostic->message = fmt::format("{} declares no input '{}'",
                                        call_lacks ? "workflow_call" : "workflow_dispatch", name);
      diagnostic->hint =
          fmt::format("it is empty when the workflow is {}", call_lacks ? "called" : "dispatched");
      diagnostic->related.push_back(
          {declared->key->where, fmt::format("declared for {} only",
                                             call_lacks ? "workflow_dispatch" : "workflow_call")});
      diagnostics_->Report(std::move(*diagnostic));
    }
  }
  TypeKind type = TypeOfInput(*declared);
  if (call != nullptr && dispatch != nullptr && TypeOfInput(*dispatch) != type) {
    type = TypeKind::kAny;
  }
  return Follow(type, path.subspan(1));
}

void ExpressionChecker::CheckSecret(std::string_view name, const Segment& segment) {
  const bool declared =
      std::any_of(workflow_.call_secrets.begin(), workflow_.call_secrets.end(),
                  [&](const Declared& secret) { return EqualsIgnoringCase(secret.name, name); });
  // If none is declared, the caller may pass all of its secrets.
  const bool only_called = workflow_.events.size() == 1 && !workflow_.call_secrets.empty();
  if (only_called && !declared && !EqualsIgnoringCase(name, "GITHUB_TOKEN")) {
    if (auto diagnostic = Begin(*segment.expr, "undeclared-secret")) {
      diagnostic->message = fmt::format("workflow_call declares no secret '{}'", name);
      diagnostic->hint = DidYouMean(name, NamesOf(workflow_.call_secrets), "it declares");
      diagnostic->related.push_back(
          {workflow_.call_secrets.front().key->where, "secrets are declared here"});
      diagnostics_->Report(std::move(*diagnostic));
    }
  }
}

ExprType ExpressionChecker::MatrixPath(Path path) {
  if (site_.job == nullptr) return TypeKind::kAny;
  const std::optional<Names> keys = matrices_.KeysOf(*site_.job);
  if (keys && EqualsAnyIgnoringCase(*path[0].name, *keys)) {
    const ExprType type = matrices_.TypeOf(*site_.job, *path[0].name);
    // GitHub compares and converts plain values as it likes.
    return path.size() == 1 && kScalarTypes.Has(type.kind) ? TypeKind::kAny
                                                           : Follow(type, path.subspan(1));
  }
  if (!keys || (options_.lax && HasFallback(*path[0].expr))) return TypeKind::kAny;
  if (auto diagnostic = Begin(*path[0].expr, "unknown-matrix-key")) {
    if (site_.job->matrix == nullptr) {
      diagnostic->message = fmt::format("job '{}' has no matrix", site_.job->id);
    } else {
      diagnostic->message =
          fmt::format("the matrix of job '{}' has no key '{}'", site_.job->id, *path[0].name);
      diagnostic->hint = DidYouMean(*path[0].name, *keys, "it has");
      const Entry* matrix = FindEntry(site_.job->strategy.value, "matrix");
      diagnostic->related.push_back({matrix->key->where, "its matrix"});
    }
    if (options_.lax) diagnostic->severity = Severity::kWarning;
    diagnostics_->Report(std::move(*diagnostic));
  }
  return TypeKind::kAny;
}

}  // namespace wheelwright
