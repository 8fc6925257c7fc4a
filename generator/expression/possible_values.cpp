#include "generator/expression/possible_values.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/arena.h"
#include "base/text.h"
#include "generator/expression/json.h"
#include "generator/expression/values.h"

namespace wheelwright {
namespace {

bool IsChain(const Expr& expr, BinaryOp op) {
  return expr.kind == ExprKind::kBinary && expr.op == op;
}

bool IsText(const Expr& expr) {
  return expr.kind == ExprKind::kLiteral && expr.literal->is_string();
}

bool IsEventName(const Expr& expr) {
  const auto property = PropertyOf(expr, "github");
  return property && EqualsIgnoringCase(*property, "event_name");
}

Condition ConditionOfComparison(const Expr& expr) {
  for (const bool swapped : {false, true}) {
    const Expr& left = *expr.operands[swapped ? 1 : 0];
    const Expr& right = *expr.operands[swapped ? 0 : 1];
    if (right.kind != ExprKind::kLiteral) continue;
    const Node& value = *right.literal;
    const auto input = PropertyOf(left, "inputs");
    if (expr.op == BinaryOp::kNotEqual) {
      // x != '' means that x is a non-empty text, true, or a number.
      if (input && value.is_string() && value.text.empty()) return Condition::InputGiven(*input);
      continue;
    }
    if (value.is_string() && IsEventName(left)) return Condition::Event(value.text);
    if (!input) continue;
    if (value.is_string()) return Condition::InputIs(*input, value.text);
    if (value.is_true()) return Condition::InputGiven(*input);
  }
  return {};
}

class Values {
 public:
  std::vector<PossibleValue> Take() && { return std::move(found_); }

  void Add(const Expr& expr, const Condition& when) {
    if (expr.kind == ExprKind::kLiteral) {
      AddText(expr, PossibleValue::Kind::kLiteral, when);
    } else if (IsChain(expr, BinaryOp::kOr)) {
      AddAlternatives(expr, when);
    } else if (IsChain(expr, BinaryOp::kAnd)) {
      AddGuarded(expr, when);
    } else if (const auto input = PropertyOf(expr, "inputs")) {
      found_.push_back({PossibleValue::Kind::kInput, when, ToLower(*input)});
    } else if (!AddTable(expr, when)) {
      found_.push_back({PossibleValue::Kind::kUnknown, when, {}});
      Mention(expr, when);
    }
  }

 private:
  void AddText(const Expr& literal, PossibleValue::Kind kind, const Condition& when) {
    found_.push_back(
        {kind, when, TextOf(*literal.literal).value_or(""), literal.begin, literal.end});
  }

  // Adds every text in an expression that is not understood.
  void Mention(const Expr& expr, const Condition& when) {
    if (IsText(expr)) AddText(expr, PossibleValue::Kind::kMention, when);
    for (const Expr* operand : expr.operands) Mention(*operand, when);
  }

  // a || b: b only where a is empty.
  void AddAlternatives(const Expr& chain, const Condition& when) {
    Condition rest = when;
    for (const Expr* operand : chain.operands) {
      Add(*operand, rest);
      if (IsText(*operand) && !operand->literal->text.empty()) break;
      if (const auto input = PropertyOf(*operand, "inputs")) {
        rest = Both(rest, Condition::InputIs(*input, ""));
      }
    }
  }

  // a && b: b where a is true; else a, which is as good as empty then.
  void AddGuarded(const Expr& chain, const Condition& when) {
    Condition guarded = when;
    for (const Expr* guard : chain.operands.first(chain.operands.size() - 1)) {
      Mention(*guard, when);
      guarded = Both(guarded, ConditionOf(*guard));
    }
    Add(*chain.operands.back(), guarded);
    found_.push_back({PossibleValue::Kind::kLiteral, when, "false"});
    found_.push_back({PossibleValue::Kind::kLiteral, when, ""});
  }

  // fromJSON('{"dev": "x", "nightly": "y"}')[inputs.release_type].
  bool AddTable(const Expr& expr, const Condition& when) {
    if (expr.kind != ExprKind::kIndex) return false;
    const Expr& call = *expr.operands[0];
    const auto input = PropertyOf(*expr.operands[1], "inputs");
    if (!input || call.kind != ExprKind::kCall || !EqualsIgnoringCase(call.name, "fromJSON") ||
        call.operands.size() != 1 || !IsText(*call.operands[0])) {
      return false;
    }
    Arena arena;
    const Node* table = FromJson(call.operands[0]->literal->text, arena).value;
    const auto is_text = [](const Entry& entry) { return entry.value->is_string(); };
    if (table == nullptr || !table->is_mapping() || !std::ranges::all_of(table->entries, is_text))
      return false;
    for (const Entry& entry : table->entries) {
      const Expr& written = *call.operands[0];
      found_.push_back({PossibleValue::Kind::kLiteral,
                        Both(Condition::InputIs(*input, entry.key->text), when),
                        std::string(entry.value->text), written.begin, written.end});
    }
    found_.push_back({PossibleValue::Kind::kLiteral, when, ""});
    return true;
  }

  std::vector<PossibleValue> found_;
};

}  // namespace

Condition Condition::Event(std::string_view name) { return {Kind::kEvent, std::string(name), {}}; }

Condition Condition::InputIs(std::string_view input, std::string_view value) {
  return {Kind::kInputIs, ToLower(input), ToLower(value)};
}

Condition Condition::InputGiven(std::string_view input) {
  return {Kind::kInputGiven, ToLower(input), {}};
}

Condition Both(Condition a, Condition b) { return a.always() ? std::move(b) : std::move(a); }

std::string Describe(const Condition& condition) {
  switch (condition.kind) {
    case Condition::Kind::kAlways:
      break;
    case Condition::Kind::kEvent:
      return fmt::format("github.event_name == '{}'", condition.name);
    case Condition::Kind::kInputIs:
      return fmt::format("inputs.{} == '{}'", condition.name, condition.value);
    case Condition::Kind::kInputGiven:
      return fmt::format("inputs.{}", condition.name);
  }
  return {};
}

std::vector<PossibleValue> PossibleValuesOf(const Expr& expression) {
  Values values;
  values.Add(expression, {});
  return std::move(values).Take();
}

Condition ConditionOf(const Expr& expression) {
  if (IsChain(expression, BinaryOp::kAnd)) {
    Condition all;
    for (const Expr* operand : expression.operands) all = Both(all, ConditionOf(*operand));
    return all;
  }
  if (expression.kind == ExprKind::kBinary &&
      (expression.op == BinaryOp::kEqual || expression.op == BinaryOp::kNotEqual)) {
    return ConditionOfComparison(expression);
  }
  if (const auto input = PropertyOf(expression, "inputs")) return Condition::InputGiven(*input);
  return {};
}

}  // namespace wheelwright
