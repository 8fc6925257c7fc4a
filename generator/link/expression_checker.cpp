#include "generator/link/expression_checker.h"

#include <fmt/format.h>

#include <cmath>

#include "base/text.h"
#include "generator/expression/format_text.h"
#include "generator/expression/json.h"
#include "generator/expression/values.h"
#include "generator/workflow/report.h"

namespace wheelwright {
namespace {

std::string_view Describe(TypeKind type) {
  switch (type) {
    case TypeKind::kBoolean:
      return "a boolean";
    case TypeKind::kNumber:
      return "a number";
    case TypeKind::kText:
      return "a text";
    case TypeKind::kObject:
      return "an object";
    case TypeKind::kList:
      return "a list";
    default:
      return "null";
  }
}

}  // namespace

ExprType ExpressionChecker::Check(const Expr& expr, const ExpressionSite& site) {
  site_ = site;
  const ExprType type = TypeOf(expr);
  if (!site.becomes_text || !kCollectionTypes.Has(type.kind)) return type;
  if (auto diagnostic = BeginWhole(expr, "expression-type")) {
    diagnostic->message =
        fmt::format("{} is {} and has no text", Quoted(expr), Describe(type.kind));
    diagnostic->hint = type.kind == TypeKind::kList
                           ? "write join(list, ',') or toJSON(list)"
                           : fmt::format("write toJSON({})", Written(expr));
    diagnostics_->Report(std::move(*diagnostic));
  }
  return type;
}

// GitHub compares values of different types as numbers, and a text that is none is unequal to all.
void ExpressionChecker::CheckComparison(const Expr& expr, ExprType left_type, ExprType right_type) {
  const TypeKind left = left_type.kind, right = right_type.kind;
  for (std::size_t i = 0; i < 2; ++i) {
    if (!kCollectionTypes.Has(i == 0 ? left : right)) continue;
    if ((i == 0 ? right : left) == TypeKind::kNull) return;
    Report(expr, "expression-type",
           fmt::format("{} is {} and cannot be compared", Quoted(*expr.operands[i]),
                       Describe(i == 0 ? left : right)),
           (i == 0 ? left : right) == TypeKind::kList ? "write contains(list, item)" : "");
    return;
  }
  if (left == right || !kScalarTypes.Has(left) || !kScalarTypes.Has(right)) return;
  if (left != TypeKind::kText && right != TypeKind::kText) return;
  const Expr& text = *expr.operands[left == TypeKind::kText ? 0 : 1];
  const Expr& other = *expr.operands[left == TypeKind::kText ? 1 : 0];
  const bool other_is_boolean = (left == TypeKind::kText ? right : left) == TypeKind::kBoolean;
  const bool is_equality = expr.op == BinaryOp::kEqual || expr.op == BinaryOp::kNotEqual;
  if (text.kind == ExprKind::kLiteral) {
    if (!std::isnan(ToNumber(*text.literal))) return;
    // x == 'true' and x != 'false' ask for x, the other two for its opposite.
    std::string hint;
    for (const std::string_view word : {"true", "false"}) {
      if (!EqualsIgnoringCase(text.literal->text, word)) continue;
      const bool as_it_is = (word == "true") == (expr.op == BinaryOp::kEqual);
      hint = fmt::format("write {}{}", as_it_is ? "" : "!", Written(other));
    }
    Report(expr, "expression-type",
           fmt::format("{} is {}, which never equals the text {}", Quoted(other),
                       other_is_boolean ? "a boolean" : "a number", Written(text)),
           other_is_boolean && is_equality ? std::move(hint) : "");
  } else if (other_is_boolean) {
    Report(expr, "expression-type",
           fmt::format("{} is a text, which never equals the boolean {}", Quoted(text),
                       Written(other)),
           other.kind == ExprKind::kLiteral ? fmt::format("write '{}'", Written(other)) : "");
  }
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
           fmt::format("{}() is not available in {}", function.name, site_.place->path),
           "steps alone see files");
  } else if (status && site_.place->status == StatusChecks::kNone) {
    Report(call, "function-not-available",
           fmt::format("{}() is not available in {}", function.name, site_.place->path),
           "it is known in 'if' alone");
  } else if (status && site_.place->status == StatusChecks::kOfSteps && !call.operands.empty() &&
             function.max_arguments > 0) {
    Report(call, "function-arguments",
           fmt::format("too many arguments for {}() in a step: {} given", function.name,
                       call.operands.size()),
           fmt::format("write {}()", function.name));
  }
}

void ExpressionChecker::CheckArguments(const Expr& call, const Function& function,
                                       std::span<const ExprType> types) {
  // What would be searched or printed as "Array", "Object" or, silently, as something else.
  for (std::size_t i = 0; i < types.size(); ++i) {
    const ArgumentRule& parameter = i == 0 ? function.first : function.others;
    if (!parameter.refused.Has(types[i].kind)) continue;
    RefuseArgument(call, *call.operands[i], parameter.expected, types[i]);
  }
  if (function.name == "fromJSON") CheckJson(*call.operands[0]);
  if (function.name == "format") CheckFormat(call);
  if (function.name == "case") CheckCase(call, types);
}

void ExpressionChecker::RefuseArgument(const Expr& call, const Expr& argument,
                                       std::string_view expected, ExprType type) {
  if (auto diagnostic = BeginWhole(argument, "expression-type")) {
    diagnostic->message = fmt::format("{}() expects {}, and {} is {}",
                                      FindFunction(GithubFunctions(), call.name)->name, expected,
                                      Quoted(argument), Describe(type.kind));
    diagnostics_->Report(std::move(*diagnostic));
  }
}

void ExpressionChecker::CheckCase(const Expr& call, std::span<const ExprType> types) {
  if (types.size() % 2 == 0) {
    Report(call, "function-arguments", "case() needs a value for each condition, and one otherwise",
           "write case(condition, value, ..., otherwise)");
    return;
  }
  for (std::size_t i = 0; i + 1 < types.size(); i += 2) {
    if (types[i].kind != TypeKind::kAny && types[i].kind != TypeKind::kBoolean) {
      RefuseArgument(call, *call.operands[i], "a condition", types[i]);
    }
  }
}

void ExpressionChecker::CheckJson(const Expr& argument) {
  if (argument.kind != ExprKind::kLiteral || !argument.literal->is_string()) return;
  Arena arena(1024);
  JsonValue json = FromJson(argument.literal->text, arena);
  if (json.value == nullptr) {
    Report(argument, "function-arguments", std::move(json.message), "expected JSON");
  }
}

void ExpressionChecker::CheckFormat(const Expr& call) {
  const Expr& pattern = *call.operands[0];
  if (pattern.kind != ExprKind::kLiteral || !pattern.literal->is_string()) return;
  std::vector<FormatPiece> pieces;
  // A doubled quote shifts what stands behind it; then the whole literal is pointed at.
  const bool plain = pattern.literal->text.size() + 2 == pattern.length;
  const auto begin = [&](std::size_t offset, std::size_t length) {
    return plain ? BeginAt(pattern.offset + 1 + offset, length, "function-arguments")
                 : Begin(pattern, "function-arguments");
  };
  if (auto error = ParseFormat(pattern.literal->text, pieces)) {
    if (auto diagnostic = begin(error->offset, error->length)) {
      diagnostic->message = std::move(error->message);
      diagnostic->hint = std::move(error->hint);
      diagnostics_->Report(std::move(*diagnostic));
    }
    return;
  }
  const std::size_t given = call.operands.size() - 1;
  std::vector<bool> used(given);
  for (const FormatPiece& piece : pieces) {
    if (piece.argument == FormatPiece::kNoArgument) continue;
    if (piece.argument < given) {
      used[piece.argument] = true;
    } else if (auto diagnostic = begin(piece.offset, piece.text.size())) {
      diagnostic->message = fmt::format("format() is given no value for {}", piece.text);
      diagnostic->hint = fmt::format("{} given", Count(given, "value"));
      diagnostics_->Report(std::move(*diagnostic));
    }
  }
  for (std::size_t i = 0; i < given; ++i) {
    if (used[i]) continue;
    if (auto diagnostic = BeginWhole(*call.operands[i + 1], "function-arguments")) {
      diagnostic->message = fmt::format("format() does not use {}", Quoted(*call.operands[i + 1]));
      diagnostic->hint = fmt::format("the text has no {{{}}}", i);
      diagnostics_->Report(std::move(*diagnostic));
    }
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
    // What these give is made of their arguments' text.
    const bool passes =
        EqualsAnyIgnoringCase(at->name, {"format", "join", "toJSON", "fromJSON", "case"});
    const bool whole = objects || EqualsIgnoringCase(at->name, "toJSON");
    return passes ? first_of(at->operands, whole) : nullptr;
  }
  if (at->kind != ExprKind::kBinary) return nullptr;
  if (at->op == BinaryOp::kOr) return first_of(at->operands, objects);
  // What && gives of the operands before its last is false: an empty text, at the most.
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

std::optional<Diagnostic> ExpressionChecker::Begin(const Expr& at, std::string_view code) {
  return BeginAt(at.offset, at.length, code);
}

std::optional<Diagnostic> ExpressionChecker::BeginWhole(const Expr& at, std::string_view code) {
  return BeginAt(at.begin, at.end - at.begin, code);
}

void ExpressionChecker::Report(const Expr& at, std::string_view code, std::string message,
                               std::string hint) {
  if (auto diagnostic = Begin(at, code)) {
    diagnostic->message = std::move(message);
    diagnostic->hint = std::move(hint);
    diagnostics_->Report(std::move(*diagnostic));
  }
}

std::string ExpressionChecker::Quoted(const Expr& expr) const {
  const std::string_view written = Written(expr);
  return written.starts_with('\'') ? std::string(written) : fmt::format("'{}'", written);
}

std::string_view ExpressionChecker::Written(const Expr& expr) const {
  return site_.text.substr(expr.begin, expr.end - expr.begin);
}

}  // namespace wheelwright
