#include "generator/link/expression_checker.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "generator/workflow/report.h"

namespace wheelwright {
ExprType ExpressionChecker::Check(const Expr& expr, const ExpressionSite& site) {
  site_ = site;
  text_ = site.text;
  whole_ = &expr;
  const ExprType type = TypeOf(expr);
  if (!site.becomes_text || !kCollectionTypes.Has(type.kind)) return type;
  if (auto diagnostic = BeginWhole(expr, "expression-type")) {
    diagnostic->message =
        fmt::format("{} is {} and has no text", Quoted(expr), Describe(type.kind));
    diagnostic->hint = type.kind == TypeKind::kList
                           ? "write join(list, ',') or toJSON(list)"
                           : fmt::format("write toJSON({})", Written(expr));
    Finish(std::move(*diagnostic));
  }
  return type;
}

bool ExpressionChecker::HasFallback(const Expr& expr) const {
  const auto inside = [&](const Expr& one) {
    return one.begin <= expr.offset && expr.offset < one.end;
  };
  for (const Expr* at = whole_; at != nullptr;) {
    const auto next =
        std::ranges::find_if(at->operands, [&](const Expr* operand) { return inside(*operand); });
    if (next == at->operands.end()) return false;
    const bool is_or = at->kind == ExprKind::kBinary && at->op == BinaryOp::kOr;
    if (is_or && *next != at->operands.back()) return true;
    at = *next;
  }
  return false;
}

void ExpressionChecker::CheckCall(const Expr& call, const Function* function,
                                  std::span<const ExprType> arguments) {
  if (function == nullptr) {
    if (auto diagnostic = Begin(call, "unknown-function")) {
      Names names;
      for (const Function& one : GithubFunctions()) names.push_back(one.name);
      diagnostic->message = fmt::format("GitHub has no function '{}'", call.name);
      diagnostic->hint = FindFunction(TemplateFunctions(), call.name) != nullptr
                             ? "write $[[ ]] for what is computed while files are generated"
                             : DidYouMean(call.name, names);
      diagnostics_->Report(std::move(*diagnostic));
    }
    return;
  }
  CheckAvailable(call, *function);
  const std::size_t count = arguments.size();
  if (count < function->min_arguments || count > function->max_arguments) {
    Report(call, "function-arguments",
           fmt::format("{} arguments for {}(): {} given",
                       count < function->min_arguments ? "too few" : "too many", function->name,
                       count),
           fmt::format("write {}", function->usage));
  } else {
    CheckArguments(call, *function, arguments);
  }
}

void ExpressionChecker::CheckAvailable(const Expr& call, const Function& function) {
  const bool status = function.available == Availability::kInConditions;
  if (function.available == Availability::kWithFiles && !site_.place->hash_files) {
    Report(call, "function-not-available",
           fmt::format("{}() is not available in {}", function.name, site_.place->Title()),
           "only steps can read files");
  } else if (status && site_.place->status == StatusChecks::kNone) {
    Report(call, "function-not-available",
           fmt::format("{}() is not available in {}", function.name, site_.place->Title()),
           "it is only available in 'if'");
  } else if (status && site_.place->status == StatusChecks::kOfSteps && !call.operands.empty() &&
             function.max_arguments > 0) {
    Report(call, "function-arguments",
           fmt::format("too many arguments for {}() in a step: {} given", function.name,
                       call.operands.size()),
           fmt::format("write {}()", function.name));
  }
}

const Expr* ExpressionChecker::FindUntrusted(const Expr& expr, bool objects) const {
  std::vector<std::string_view> path;
  const Expr* at = &expr;
  for (; at->kind == ExprKind::kProperty || at->kind == ExprKind::kIndex ||
         at->kind == ExprKind::kAll;
       at = at->operands[0]) {
    path.push_back(PropertyName(*at).value_or("*"));
  }
  if (at->kind == ExprKind::kName) {
    path.push_back(at->name);
    std::reverse(path.begin(), path.end());
    return IsUntrusted(path, objects) ? &expr : nullptr;
  }
  const auto first_of = [&](std::span<const Expr* const> operands, bool whole) -> const Expr* {
    for (const Expr* operand : operands) {
      if (const Expr* found = FindUntrusted(*operand, whole)) return found;
    }
    return nullptr;
  };
  if (at->kind == ExprKind::kCall) {
    // The results of these contain their arguments' text.
    const bool passes =
        EqualsAnyIgnoringCase(at->name, {"format", "join", "toJSON", "fromJSON", "case"});
    const bool whole = objects || EqualsIgnoringCase(at->name, "toJSON");
    return passes ? first_of(at->operands, whole) : nullptr;
  }
  if (at->kind != ExprKind::kBinary) return nullptr;
  if (at->op == BinaryOp::kOr) return first_of(at->operands, objects);
  // && returns earlier operands only if they are false, such as an empty text.
  return at->op == BinaryOp::kAnd ? first_of(at->operands.last(1), objects) : nullptr;
}

std::optional<Diagnostic> ExpressionChecker::BeginAt(std::size_t offset, std::size_t length,
                                                     std::string_view code) {
  ++problems_;
  if (diagnostics_ == nullptr) return std::nullopt;
  const SourceRange where = places_.Locate(*site_.scalar, site_.offset + offset, length);
  if (diagnostics_->Repeat(code, where)) return std::nullopt;
  Diagnostic diagnostic = At(site_.scalar, code, {});
  diagnostic.where = where;
  return diagnostic;
}

void ExpressionChecker::Finish(Diagnostic diagnostic) {
  diagnostics_->Report(std::move(diagnostic));
}

}  // namespace wheelwright
