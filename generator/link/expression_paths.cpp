// What `github.ref`, `inputs.version` and their like refer to.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <memory_resource>

#include "base/text.h"
#include "generator/link/expression_checker.h"
#include "generator/link/rules.h"

namespace wheelwright {
namespace {

ExprType TypeOfInput(const Input& input) {
  switch (input.type) {
    case InputType::kBoolean:
      return ExprType::kBoolean;
    case InputType::kNumber:
      return ExprType::kNumber;
    case InputType::kUnknown:
      return ExprType::kAny;
    default:
      return ExprType::kText;
  }
}

// Keys that a matrix gives, or nothing when only the run can tell.
std::optional<std::vector<std::string_view>> MatrixKeys(const Node* matrix) {
  std::vector<std::string_view> keys;
  if (matrix == nullptr) return keys;
  if (!matrix->is_mapping()) return std::nullopt;
  for (const Entry& entry : matrix->entries) {
    if (entry.key->text == "exclude") continue;
    if (entry.key->text != "include") {
      keys.push_back(entry.key->text);
      continue;
    }
    if (!entry.value->is_sequence()) return std::nullopt;
    for (const Node* row : entry.value->items) {
      if (!row->is_mapping()) return std::nullopt;
      for (const Entry& cell : row->entries) {
        if (!EqualsAnyIgnoringCase(cell.key->text, keys)) keys.push_back(cell.key->text);
      }
    }
  }
  return keys;
}

}  // namespace

ExprType ExpressionChecker::TypeOfPath(const Expr& expr) {
  // Nearly all paths are short: they stay on the stack.
  std::array<std::byte, 8 * sizeof(Segment)> buffer;
  std::pmr::monotonic_buffer_resource memory(buffer.data(), buffer.size());
  std::pmr::vector<Segment> segments(&memory);
  segments.reserve(8);
  const Expr* root = &expr;
  bool filtered = false;
  for (; root->kind == ExprKind::kProperty || root->kind == ExprKind::kIndex ||
         root->kind == ExprKind::kAll;
       root = root->operands[0]) {
    Segment segment{root, std::nullopt};
    filtered = filtered || root->kind == ExprKind::kAll;
    if (root->kind == ExprKind::kProperty) segment.name = root->name;
    if (root->kind == ExprKind::kIndex) {
      const Expr& index = *root->operands[1];
      if (index.kind != ExprKind::kLiteral) {
        TypeOf(index);
      } else if (index.literal->is_string()) {
        segment.name = index.literal->text;
      }
    }
    segments.push_back(segment);
  }
  std::reverse(segments.begin(), segments.end());
  if (root->kind != ExprKind::kName) {
    const ExprType type = TypeOf(*root);
    if (segments.empty()) return type;
    Leaf(segments, 0, type == ExprType::kNull ? ExprType::kAny : type);
    return filtered ? ExprType::kList : ExprType::kAny;
  }
  const std::optional<Context> context = FindContext(root->name);
  if (!context) {
    if (auto diagnostic = Begin(*root, "unknown-context")) {
      const Names names = site_.place->contexts.Names();
      diagnostic->message = fmt::format("there is no context '{}'", root->name);
      diagnostic->hint = DidYouMean(root->name, names);
      for (const std::string_view literal : {"true", "false", "null"}) {
        if (EqualsIgnoringCase(root->name, literal)) {
          diagnostic->hint = fmt::format("write '{}'", literal);
        }
      }
      if (diagnostic->hint.empty()) diagnostic->hint = "write strings in single quotes";
      diagnostics_.Report(std::move(*diagnostic));
    }
    return ExprType::kAny;
  }
  const ExprType type = Resolve(*root, *context, segments);
  return filtered ? ExprType::kList : type;
}

ExprType ExpressionChecker::Resolve(const Expr& root, Context context, Path path) {
  if (!site_.place->contexts.Has(context)) {
    if (auto diagnostic = Begin(root, "context-not-available")) {
      std::vector<std::string> names;
      for (const std::string_view name : site_.place->contexts.Names()) names.emplace_back(name);
      diagnostic->message =
          fmt::format("'{}' is not available in {}", NameOf(context), site_.place->path);
      diagnostic->hint = fmt::format("available: {}", JoinWords(names));
      diagnostics_.Report(std::move(*diagnostic));
    }
    return ExprType::kAny;
  }
  if (path.empty()) return ExprType::kObject;
  if (!path[0].name) return path.size() == 1 ? ExprType::kAny : Leaf(path, 1, ExprType::kAny);
  const auto known = PropertiesOf(context);
  if (!known.empty() && !CheckProperty(NameOf(context), path[0], known)) {
    return ExprType::kAny;
  }
  switch (context) {
    case Context::kGithub:
      return Github(path);
    case Context::kInputs:
      return Inputs(path);
    case Context::kNeeds:
      return Needs(path);
    case Context::kStrategy:
      return Leaf(
          path, 1,
          EqualsIgnoringCase(*path[0].name, "fail-fast") ? ExprType::kBoolean : ExprType::kNumber);
    case Context::kMatrix:
      return Matrix(path);
    case Context::kSecrets:
      return Secrets(path);
    case Context::kSteps:
      return Steps(path);
    case Context::kJob:
      return JobContext(path);
    case Context::kJobs:
      return Jobs(path);
    case Context::kVars:
    case Context::kRunner:
    case Context::kEnv:
      break;
  }
  return Leaf(path, 1, ExprType::kText);
}

ExprType ExpressionChecker::Leaf(Path path, std::size_t depth, ExprType type) {
  if (path.size() == depth) return type;
  if (type == ExprType::kText || type == ExprType::kNumber || type == ExprType::kBoolean) {
    const Expr& object = *path[depth].expr->operands[0];
    const std::string_view what = type == ExprType::kText     ? "a text"
                                  : type == ExprType::kNumber ? "a number"
                                                              : "a boolean";
    const bool may_be_json = object.kind == ExprKind::kProperty &&
                             !EqualsIgnoringCase(Written(object).substr(0, 7), "github.");
    Report(*path[depth].expr, "unknown-property",
           fmt::format("{} is {} and has no properties", Quoted(object), what),
           type == ExprType::kText && may_be_json
               ? fmt::format("if it is JSON, write fromJSON({})", Written(object))
               : "");
  }
  return ExprType::kAny;
}

bool ExpressionChecker::CheckProperty(std::string_view object, const Segment& segment,
                                      std::span<const std::string_view> known) {
  if (!segment.name || EqualsAnyIgnoringCase(*segment.name, known)) return true;
  if (auto diagnostic = Begin(*segment.expr, "unknown-property")) {
    diagnostic->message = fmt::format("'{}' has no property '{}'", object, *segment.name);
    diagnostic->hint = DidYouMean(*segment.name, known, "it has");
    diagnostics_.Report(std::move(*diagnostic));
  }
  return false;
}

ExprType ExpressionChecker::Github(Path path) {
  const std::string_view name = *path[0].name;
  if (EqualsIgnoringCase(name, "ref_protected")) return ExprType::kAny;
  if (!EqualsIgnoringCase(name, "event")) return Leaf(path, 1, ExprType::kText);
  if (path.size() == 1) return ExprType::kObject;
  // A called workflow sees the event of its caller.
  const bool dispatched = workflow_.FindEvent("workflow_dispatch") != nullptr &&
                          workflow_.FindEvent("workflow_call") == nullptr;
  const bool input = path.size() > 2 && path[1].name && path[2].name &&
                     EqualsIgnoringCase(*path[1].name, "inputs");
  if (!dispatched || !input) return ExprType::kAny;
  if (workflow_.FindDispatchInput(*path[2].name) == nullptr) {
    if (auto diagnostic = Begin(*path[2].expr, "undeclared-input")) {
      diagnostic->message = fmt::format("workflow_dispatch declares no input '{}'", *path[2].name);
      diagnostic->hint =
          DidYouMean(*path[2].name, NamesOf(workflow_.dispatch_inputs), "it declares");
      diagnostic->related.push_back(
          {workflow_.FindEvent("workflow_dispatch")->key->where, "inputs are declared here"});
      diagnostics_.Report(std::move(*diagnostic));
    }
    return ExprType::kAny;
  }
  return Leaf(path, 3, ExprType::kText);
}

ExprType ExpressionChecker::JobContext(Path path) {
  const std::string_view name = *path[0].name;
  if (EqualsIgnoringCase(name, "services")) return ExprType::kAny;
  if (!EqualsIgnoringCase(name, "container")) return Leaf(path, 1, ExprType::kText);
  if (path.size() == 1) return ExprType::kObject;
  constexpr std::array<std::string_view, 2> kMembers = {"id", "network"};
  if (!CheckProperty("job.container", path[1], kMembers)) return ExprType::kAny;
  return Leaf(path, 2, ExprType::kText);
}

ExprType ExpressionChecker::Inputs(Path path) {
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
      diagnostic->message = fmt::format("no input '{}' is declared", name);
      diagnostic->hint = DidYouMean(name, names, "there are");
      for (const Event* event : {call_event, dispatch_event}) {
        if (event != nullptr) {
          diagnostic->related.push_back({event->key->where, "inputs are declared here"});
        }
      }
      if (diagnostic->related.empty()) {
        diagnostic->notes.push_back(
            "inputs are declared by the triggers workflow_call and workflow_dispatch");
      }
      diagnostics_.Report(std::move(*diagnostic));
    }
    return ExprType::kAny;
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
      diagnostics_.Report(std::move(*diagnostic));
    }
  }
  ExprType type = TypeOfInput(*declared);
  if (call != nullptr && dispatch != nullptr && TypeOfInput(*dispatch) != type) {
    type = ExprType::kAny;
  }
  return Leaf(path, 1, type);
}

ExprType ExpressionChecker::Secrets(Path path) {
  const std::string_view name = *path[0].name;
  const bool declared =
      std::any_of(workflow_.call_secrets.begin(), workflow_.call_secrets.end(),
                  [&](const Declared& secret) { return EqualsIgnoringCase(secret.name, name); });
  // Where none is declared the caller may pass on all of its own.
  const bool only_called = workflow_.events.size() == 1 && !workflow_.call_secrets.empty();
  if (only_called && !declared && !EqualsIgnoringCase(name, "GITHUB_TOKEN")) {
    if (auto diagnostic = Begin(*path[0].expr, "undeclared-secret")) {
      diagnostic->message = fmt::format("workflow_call declares no secret '{}'", name);
      diagnostic->hint = DidYouMean(name, NamesOf(workflow_.call_secrets), "it declares");
      diagnostic->related.push_back(
          {workflow_.call_secrets.front().key->where, "secrets are declared here"});
      diagnostics_.Report(std::move(*diagnostic));
    }
  }
  return Leaf(path, 1, ExprType::kText);
}

ExprType ExpressionChecker::Matrix(Path path) {
  if (site_.job == nullptr) return ExprType::kAny;
  const std::optional<Names> keys = MatrixKeys(site_.job->matrix);
  if (!keys || EqualsAnyIgnoringCase(*path[0].name, *keys)) return ExprType::kAny;
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
    diagnostics_.Report(std::move(*diagnostic));
  }
  return ExprType::kAny;
}

}  // namespace wheelwright
