#include "generator/expression/evaluate.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "base/text.h"
#include "generator/expression/builtins.h"
#include "generator/expression/check.h"
#include "generator/expression/functions.h"
#include "generator/expression/values.h"

namespace wheelwright {
namespace {

// The limit of bytes of one expression: much more than a workflow file has, but it ends nested
// calls of format() soon.
constexpr std::size_t kBudget = 4'000'000;

std::vector<std::string_view> KeysOf(const Node& mapping) {
  std::vector<std::string_view> keys;
  for (const Entry& entry : mapping.entries) keys.push_back(entry.key->text);
  return keys;
}

// The expression for messages: "host.linux", "needs[...]", "fromJSON(...)".
std::string PathOf(const Expr& expr) {
  switch (expr.kind) {
    case ExprKind::kName:
      return std::string(expr.name);
    case ExprKind::kProperty:
      return fmt::format("{}.{}", PathOf(*expr.operands[0]), expr.name);
    case ExprKind::kIndex:
      return fmt::format("{}[...]", PathOf(*expr.operands[0]));
    case ExprKind::kAll:
      return fmt::format("{}.*", PathOf(*expr.operands[0]));
    case ExprKind::kCall:
      return fmt::format("{}(...)", expr.name);
    default:
      return "(...)";
  }
}

class Evaluator {
 public:
  Evaluator(const Scope* scope, Arena& arena) : scope_(scope), arena_(arena) {}

  Evaluated Run(const Expr& expr) {
    const Node* node = Eval(expr).node;
    if (node == nullptr) return {nullptr, std::move(error_), kBudget - budget_};
    return {node, std::nullopt, kBudget - budget_};
  }

 private:
  struct Value {
    const Node* node = nullptr;  // null: failed
    bool filtered = false;       // made by `.*`: later steps apply to each item
  };

  Value Eval(const Expr& expr) {
    switch (expr.kind) {
      case ExprKind::kLiteral:
        return {expr.literal};
      case ExprKind::kName:
        return Name(expr);
      case ExprKind::kProperty:
        return Property(expr);
      case ExprKind::kIndex:
        return Index(expr);
      case ExprKind::kAll:
        return All(expr);
      case ExprKind::kCall:
        return CallFunction(expr);
      case ExprKind::kNot: {
        const Value operand = Eval(*expr.operands[0]);
        if (operand.node == nullptr) return {};
        return {MakeBoolean(arena_, !IsTruthy(*operand.node))};
      }
      case ExprKind::kBinary:
        return expr.op == BinaryOp::kAnd || expr.op == BinaryOp::kOr ? Logical(expr)
                                                                     : Compared(expr);
    }
    return {};
  }

  Value Name(const Expr& expr) {
    const Scope* binding = Lookup(scope_, expr.name);
    if (binding != nullptr) return {binding->value};
    error_ = UnknownName(expr, VisibleNames(scope_));
    return {};
  }

  Value Property(const Expr& expr) {
    const Value operand = Eval(*expr.operands[0]);
    if (operand.node == nullptr) return {};
    return Member(expr, operand, expr.name);
  }

  // The entry of a mapping, or those of the items of a filtered list.
  Value Member(const Expr& expr, const Value& operand, std::string_view key) {
    if (operand.filtered) return MemberOfEach(expr, *operand.node, key);
    const Node& mapping = *operand.node;
    if (const Node* value = mapping.is_mapping() ? Find(&mapping, key) : nullptr) return {value};
    const std::string path = PathOf(*expr.operands[0]);
    if (!mapping.is_mapping()) {
      return Fail(
          expr,
          fmt::format("'{}' is {} and has no property '{}'", path, DescribeKind(mapping), key),
          mapping.is_sequence() ? fmt::format("write {0}[0], or {0}.*.{1}", path, key) : "");
    }
    return Fail(expr, fmt::format("'{}' has no property '{}'", path, key),
                DidYouMean(key, KeysOf(mapping), "it has"));
  }

  Value MemberOfEach(const Expr& expr, const Node& list, std::string_view key) {
    std::vector<const Node*> found;
    std::vector<std::string_view> keys;
    for (const Node* item : list.items) {
      if (!item->is_mapping()) continue;
      if (const Node* value = Find(item, key)) found.push_back(value);
      if (found.empty() && keys.size() < 1000) {
        for (const std::string_view other : KeysOf(*item)) keys.push_back(other);
      }
    }
    if (found.empty() && !list.items.empty()) {
      std::sort(keys.begin(), keys.end());
      keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
      return Fail(
          expr, fmt::format("no item of '{}' has a property '{}'", PathOf(*expr.operands[0]), key),
          DidYouMean(key, keys, "they have"));
    }
    return Filtered(expr, found);
  }

  Value Index(const Expr& expr) {
    const Value operand = Eval(*expr.operands[0]);
    if (operand.node == nullptr) return {};
    const Value index = Eval(*expr.operands[1]);
    if (index.node == nullptr) return {};
    const Node& wanted = *index.node;
    const bool is_list = operand.node->is_sequence() && !operand.filtered;
    if (!is_list && !(operand.filtered && wanted.kind == NodeKind::kNumber)) {
      const std::optional<std::string> key = TextOf(wanted);
      if (!key) {
        return Fail(expr, fmt::format("expected a key, found {}", DescribeKind(wanted)), "");
      }
      return Member(expr, operand, arena_.Copy(std::string_view(*key)));
    }
    const double number = wanted.kind == NodeKind::kNumber ? NumberValue(wanted) : -1;
    if (!(number >= 0) || number != std::floor(number)) {
      return Fail(
          expr, fmt::format("a list is indexed by a whole number, found {}", DescribeKind(wanted)),
          "");
    }
    if (operand.filtered) return ItemOfEach(expr, *operand.node, number);
    const auto items = operand.node->items;
    if (number >= static_cast<double>(items.size())) {
      return Fail(
          expr, fmt::format("'{}' has no item {}", PathOf(*expr.operands[0]), FormatNumber(number)),
          items.empty() ? "the list is empty"
                        : fmt::format("it has {}, counted from 0", Count(items.size(), "item")));
    }
    return {items[static_cast<std::size_t>(number)]};
  }

  Value ItemOfEach(const Expr& expr, const Node& list, double number) {
    std::vector<const Node*> found;
    for (const Node* item : list.items) {
      if (item->is_sequence() && number < static_cast<double>(item->items.size())) {
        found.push_back(item->items[static_cast<std::size_t>(number)]);
      }
    }
    if (found.empty() && !list.items.empty()) {
      return Fail(expr,
                  fmt::format("no item of '{}' has an item {}", PathOf(*expr.operands[0]),
                              FormatNumber(number)),
                  "");
    }
    return Filtered(expr, found);
  }

  Value All(const Expr& expr) {
    const Value operand = Eval(*expr.operands[0]);
    if (operand.node == nullptr) return {};
    std::vector<const Node*> found;
    const auto add = [&](const Node& collection) {
      found.insert(found.end(), collection.items.begin(), collection.items.end());
      for (const Entry& entry : collection.entries) found.push_back(entry.value);
    };
    if (operand.filtered) {
      for (const Node* item : operand.node->items) add(*item);
    } else if (operand.node->is_scalar()) {
      return Fail(expr,
                  fmt::format("'{}' is {} and has no items", PathOf(*expr.operands[0]),
                              DescribeKind(*operand.node)),
                  "");
    } else {
      add(*operand.node);
    }
    return Filtered(expr, found);
  }

  Value Filtered(const Expr& expr, std::span<const Node* const> items) {
    if (items.size_bytes() > budget_) return Fail(expr, "the expression computes too much", "");
    budget_ -= items.size_bytes();
    return {MakeSequence(arena_, items), true};
  }

  Value Logical(const Expr& expr) {
    Value value;
    for (const Expr* operand : expr.operands) {
      value = Eval(*operand);
      if (value.node == nullptr || IsTruthy(*value.node) == (expr.op == BinaryOp::kOr)) break;
    }
    return value;
  }

  Value Compared(const Expr& expr) {
    const Node* left = Eval(*expr.operands[0]).node;
    const Node* right = left == nullptr ? nullptr : Eval(*expr.operands[1]).node;
    if (right == nullptr) return {};
    for (const Node* side : {left, right}) {
      if (side->is_scalar()) continue;
      return Fail(expr, fmt::format("{} cannot be compared", DescribeKind(*side)),
                  side->is_sequence() ? "contains(list, item) looks into a list" : "");
    }
    const Order order = Compare(*left, *right);
    const bool holds = [&] {
      switch (expr.op) {
        case BinaryOp::kEqual:
          return order == Order::kEqual;
        case BinaryOp::kNotEqual:
          return order != Order::kEqual;
        case BinaryOp::kLess:
          return order == Order::kLess;
        case BinaryOp::kLessEqual:
          return order == Order::kLess || order == Order::kEqual;
        case BinaryOp::kGreater:
          return order == Order::kGreater;
        default:
          return order == Order::kGreater || order == Order::kEqual;
      }
    }();
    return {MakeBoolean(arena_, holds)};
  }

  Value CallFunction(const Expr& expr) {
    error_ = CheckCall(expr);
    if (error_) return {};
    const Function* function = FindFunction(TemplateFunctions(), expr.name);
    const std::size_t count = expr.operands.size();
    if (function->name == "case") return Case(expr);
    std::array<const Node*, kAnyNumber> arguments;
    for (std::size_t i = 0; i < count; ++i) {
      arguments[i] = Eval(*expr.operands[i]).node;
      if (arguments[i] == nullptr) return {};
    }
    Call call{std::span<const Node* const>(arguments.data(), count), arena_, budget_, {}, {}};
    const Node* value = CallBuiltin(*function, call);
    if (value != nullptr) return {value};
    if (call.argument == Call::kWholeCall) {
      return Fail(expr, std::move(call.message), std::move(call.hint));
    }
    const Expr& wrong = *expr.operands[call.argument];
    error_ = ExpressionError{wrong.begin, wrong.end - wrong.begin, std::move(call.message),
                             std::move(call.hint)};
    return {};
  }

  // Evaluates only what it needs, so that a value may depend on its condition.
  Value Case(const Expr& expr) {
    const auto operands = expr.operands;
    if (operands.size() % 2 == 0) {
      return Fail(expr, "case() needs a value for each condition, and one otherwise",
                  "write case(condition, value, ..., otherwise)");
    }
    for (std::size_t i = 0; i + 1 < operands.size(); i += 2) {
      const Node* condition = Eval(*operands[i]).node;
      if (condition == nullptr) return {};
      if (condition->kind != NodeKind::kBoolean) {
        error_ = ExpressionError{operands[i]->begin, operands[i]->end - operands[i]->begin,
                                 fmt::format("expected a condition that is true or false, found {}",
                                             DescribeKind(*condition)),
                                 ""};
        return {};
      }
      if (condition->is_true()) return Eval(*operands[i + 1]);
    }
    return Eval(*operands.back());
  }

  Value Fail(const Expr& expr, std::string message, std::string hint) {
    error_ = ExpressionError{expr.offset, expr.length, std::move(message), std::move(hint)};
    return {};
  }

  const Scope* scope_;
  Arena& arena_;
  std::size_t budget_ = kBudget;
  std::optional<ExpressionError> error_;
};

}  // namespace

Evaluated Evaluate(const Expr& expression, const Scope* scope, Arena& arena) {
  return Evaluator(scope, arena).Run(expression);
}

}  // namespace wheelwright
