// The checks of comparisons and calls in TypeInference.
#include <fmt/format.h>

#include <cmath>
#include <vector>

#include "base/text.h"
#include "generator/expression/format_text.h"
#include "generator/expression/infer.h"
#include "generator/expression/json.h"
#include "generator/expression/values.h"

namespace wheelwright {

// GitHub compares values of different types as numbers; a text that is no number equals nothing.
void TypeInference::CheckComparison(const Expr& expr, const ExprType& left_type,
                                    const ExprType& right_type) {
  const TypeKind left = left_type.kind, right = right_type.kind;
  if (kCollectionTypes.Has(left) || kCollectionTypes.Has(right)) {
    return CheckCollections(expr, left_type, right_type);
  }
  if (!kScalarTypes.Has(left) || !kScalarTypes.Has(right)) return;
  const bool is_equality = expr.op == BinaryOp::kEqual || expr.op == BinaryOp::kNotEqual;
  if (is_equality) {
    CheckWords(*expr.operands[0], left_type, *expr.operands[1]);
    CheckWords(*expr.operands[1], right_type, *expr.operands[0]);
  }
  if (left == right || (left != TypeKind::kText && right != TypeKind::kText)) return;
  const Expr& text = *expr.operands[left == TypeKind::kText ? 0 : 1];
  const Expr& other = *expr.operands[left == TypeKind::kText ? 1 : 0];
  const bool other_is_boolean = (left == TypeKind::kText ? right : left) == TypeKind::kBoolean;
  if (text.kind == ExprKind::kLiteral) {
    if (!std::isnan(ToNumber(*text.literal))) return;
    // x == 'true' and x != 'false' mean x, the other two mean !x.
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
  } else if (other_is_boolean && !left_type.or_nothing && !right_type.or_nothing) {
    Report(expr, "expression-type",
           fmt::format("{} is a text, which never equals the boolean {}", Quoted(text),
                       Written(other)),
           other.kind == ExprKind::kLiteral ? fmt::format("write '{}'", Written(other)) : "");
  }
}

void TypeInference::CheckCollections(const Expr& expr, const ExprType& left,
                                     const ExprType& right) {
  for (std::size_t i = 0; i < 2; ++i) {
    const ExprType& one = i == 0 ? left : right;
    const TypeKind other = (i == 0 ? right : left).kind;
    if (!kCollectionTypes.Has(one.kind)) continue;
    if (other == TypeKind::kNull && rules_ == Rules::kGithub) return;
    std::string hint;
    if (other == TypeKind::kNull && one.or_nothing) {
      hint = fmt::format("write {}{}", expr.op == BinaryOp::kNotEqual ? "" : "!",
                         Written(*expr.operands[i]));
    } else if (one.kind == TypeKind::kList) {
      hint = "write contains(list, item)";
    }
    Report(expr, "expression-type",
           fmt::format("{} is {} and cannot be compared", Quoted(*expr.operands[i]),
                       Describe(one.kind)),
           std::move(hint));
    return;
  }
}

// Reports a comparison with a word that the text can never be.
void TypeInference::CheckWords(const Expr& expr, const ExprType& type, const Expr& other) {
  if (type.notes == nullptr || !type.notes->fixed || other.kind != ExprKind::kLiteral) return;
  if (!other.literal->is_string()) return;
  const std::string_view word = other.literal->text;
  if (EqualsAnyIgnoringCase(word, type.notes->values) || (word.empty() && type.or_nothing)) return;
  Report(other, "expression-type", fmt::format("{} is never {}", Quoted(expr), Written(other)),
         DidYouMean(word, type.notes->values, "it is one of"));
}

void TypeInference::CheckArguments(const Expr& call, const Function& function,
                                   std::span<const ExprType> types) {
  // Values that would become "Array", "Object" or another unexpected text.
  for (std::size_t i = 0; i < types.size(); ++i) {
    const ArgumentRule& parameter = i == 0 ? function.first : function.others;
    if (!parameter.refused.Has(types[i].kind)) continue;
    RefuseArgument(call, *call.operands[i], parameter.expected, types[i]);
  }
  if (function.name == "fromJSON") CheckJson(*call.operands[0]);
  if (function.name == "format") CheckFormat(call);
  if (function.name == "case") CheckCase(call, types);
  if (function.name == "contains" && types[0].item != nullptr) {
    CheckWords(*call.operands[0], *types[0].item, *call.operands[1]);
  }
}

void TypeInference::RefuseArgument(const Expr& call, const Expr& argument,
                                   std::string_view expected, ExprType type) {
  if (auto diagnostic = BeginWhole(argument, "expression-type")) {
    diagnostic->message =
        fmt::format("{}() expects {}, and {} is {}", FindFunction(functions_, call.name)->name,
                    expected, Quoted(argument), Describe(type.kind));
    if (rules_ == Rules::kTemplate && type.kind == TypeKind::kNumber) {
      diagnostic->hint = "put it in quotes where it is defined";
    }
    Finish(std::move(*diagnostic));
  }
}

void TypeInference::CheckCase(const Expr& call, std::span<const ExprType> types) {
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

void TypeInference::CheckJson(const Expr& argument) {
  if (argument.kind != ExprKind::kLiteral || !argument.literal->is_string()) return;
  Arena arena(1024);
  JsonValue json = FromJson(argument.literal->text, arena);
  if (json.value == nullptr) {
    Report(argument, "function-arguments", std::move(json.message), "expected JSON");
  }
}

void TypeInference::CheckFormat(const Expr& call) {
  const Expr& pattern = *call.operands[0];
  if (pattern.kind != ExprKind::kLiteral || !pattern.literal->is_string()) return;
  std::vector<FormatPiece> pieces;
  // A doubled quote shifts offsets; then the place is the whole literal.
  const bool plain = pattern.literal->text.size() + 2 == pattern.length;
  const auto begin = [&](std::size_t offset, std::size_t length) {
    return plain ? BeginAt(pattern.offset + 1 + offset, length, "function-arguments")
                 : Begin(pattern, "function-arguments");
  };
  if (auto error = ParseFormat(pattern.literal->text, pieces)) {
    if (auto diagnostic = begin(error->offset, error->length)) {
      diagnostic->message = std::move(error->message);
      diagnostic->hint = std::move(error->hint);
      Finish(std::move(*diagnostic));
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
      Finish(std::move(*diagnostic));
    }
  }
  for (std::size_t i = 0; i < given; ++i) {
    if (used[i]) continue;
    if (auto diagnostic = BeginWhole(*call.operands[i + 1], "function-arguments")) {
      diagnostic->message = fmt::format("format() does not use {}", Quoted(*call.operands[i + 1]));
      diagnostic->hint = fmt::format("the text has no {{{}}}", i);
      Finish(std::move(*diagnostic));
    }
  }
}

std::string_view TypeInference::Describe(TypeKind kind) const {
  switch (kind) {
    case TypeKind::kBoolean:
      return "a boolean";
    case TypeKind::kNumber:
      return "a number";
    case TypeKind::kText:
      return "a text";
    case TypeKind::kObject:
      return rules_ == Rules::kGithub ? "an object" : "a mapping";
    case TypeKind::kList:
      return "a list";
    default:
      return "null";
  }
}

std::optional<Diagnostic> TypeInference::Begin(const Expr& at, std::string_view code) {
  return BeginAt(at.offset, at.length, code);
}

std::optional<Diagnostic> TypeInference::BeginWhole(const Expr& at, std::string_view code) {
  return BeginAt(at.begin, at.end - at.begin, code);
}

void TypeInference::Report(const Expr& at, std::string_view code, std::string message,
                           std::string hint) {
  if (auto diagnostic = Begin(at, code)) {
    diagnostic->message = std::move(message);
    diagnostic->hint = std::move(hint);
    const bool always = at.kind == ExprKind::kBinary && at.op == BinaryOp::kNotEqual;
    if (lax_ && always) diagnostic->severity = Severity::kWarning;
    Finish(std::move(*diagnostic));
  }
}

std::string TypeInference::Quoted(const Expr& expr) const {
  const std::string_view written = Written(expr);
  return written.starts_with('\'') ? std::string(written) : fmt::format("'{}'", written);
}

std::string_view TypeInference::Written(const Expr& expr) const {
  return text_.substr(expr.begin, expr.end - expr.begin);
}

}  // namespace wheelwright
