#include "generator/link/value_type.h"

#include <vector>

#include "base/arena.h"
#include "base/text.h"
#include "generator/expression/parse.h"
#include "generator/workflow/report.h"

namespace wheelwright {
namespace {

ValueType TypeOfNode(const Node& value) {
  switch (value.kind) {
    case NodeKind::kBoolean:
      return ValueType::kBoolean;
    case NodeKind::kNumber:
      return ValueType::kNumber;
    case NodeKind::kString:
      return ValueType::kString;
    default:
      return ValueType::kUnknown;
  }
}

ValueType TypeOfInput(std::string_view name, const Workflow& workflow) {
  const auto type_of = [](const Input* input) {
    if (!input) return ValueType::kUnknown;
    switch (input->type) {
      case InputType::kBoolean:
        return ValueType::kBoolean;
      case InputType::kNumber:
        return ValueType::kNumber;
      case InputType::kUnknown:
        return ValueType::kUnknown;
      default:
        return ValueType::kString;
    }
  };
  const Input* call = workflow.FindCallInput(name);
  const Input* dispatch = workflow.FindDispatchInput(name);
  if (!call || !dispatch) return type_of(call ? call : dispatch);
  return type_of(call) == type_of(dispatch) ? type_of(call) : ValueType::kUnknown;
}

// The name at the bottom of `a.b.c`, or "".
std::string_view RootOf(const Expr& expression) {
  const Expr* at = &expression;
  while (at->kind == ExprKind::kProperty || at->kind == ExprKind::kIndex ||
         at->kind == ExprKind::kAll) {
    at = at->operands[0];
  }
  return at->kind == ExprKind::kName ? at->name : std::string_view{};
}

ValueType TypeOfExpression(const Expr& expression, const Workflow& workflow) {
  switch (expression.kind) {
    case ExprKind::kLiteral:
      return TypeOfNode(*expression.literal);
    case ExprKind::kNot:
      return ValueType::kBoolean;
    case ExprKind::kBinary: {
      if (expression.op != BinaryOp::kAnd && expression.op != BinaryOp::kOr)
        return ValueType::kBoolean;
      const ValueType left = TypeOfExpression(*expression.operands[0], workflow);
      const ValueType right = TypeOfExpression(*expression.operands[1], workflow);
      return left == right ? left : ValueType::kUnknown;
    }
    case ExprKind::kCall:
      if (EqualsAnyIgnoringCase(expression.name, {"contains", "startsWith", "endsWith", "success",
                                                  "failure", "cancelled", "always"})) {
        return ValueType::kBoolean;
      }
      if (EqualsAnyIgnoringCase(expression.name, {"format", "join", "toJSON", "hashFiles"}))
        return ValueType::kString;
      return ValueType::kUnknown;
    case ExprKind::kProperty: {
      const std::string_view root = RootOf(expression);
      const bool direct = expression.operands[0]->kind == ExprKind::kName;
      if (direct && EqualsIgnoringCase(root, "inputs"))
        return TypeOfInput(expression.name, workflow);
      if (direct && EqualsAnyIgnoringCase(root, {"vars", "env", "secrets"}))
        return ValueType::kString;
      // needs.JOB.outputs.NAME and needs.JOB.result
      if (!direct && EqualsAnyIgnoringCase(root, {"needs", "steps"})) {
        const Expr& middle = *expression.operands[0];
        if (middle.kind == ExprKind::kProperty && EqualsIgnoringCase(middle.name, "outputs") &&
            middle.operands[0]->kind != ExprKind::kName) {
          return ValueType::kString;
        }
        if (EqualsAnyIgnoringCase(expression.name, {"result", "outcome", "conclusion"}))
          return ValueType::kString;
      }
      return ValueType::kUnknown;
    }
    default:
      return ValueType::kUnknown;
  }
}

}  // namespace

ValueType TypeOfValue(const Node& value, const Workflow& workflow) {
  if (!value.is_string()) return TypeOfNode(value);
  if (!HoldsExpression(value.text)) return ValueType::kString;
  std::vector<Embedded> found;
  if (FindEmbedded(value.text, Brackets::kGithub, found) || found.empty())
    return ValueType::kUnknown;
  if (found.size() > 1 || found[0].begin != 0 || found[0].end != value.text.size()) {
    return ValueType::kString;
  }
  Arena arena(1024);
  const ParsedExpression parsed = ParseExpression(
      value.text.substr(found[0].inner_begin, found[0].inner_end - found[0].inner_begin), arena);
  return parsed.root ? TypeOfExpression(*parsed.root, workflow) : ValueType::kUnknown;
}

std::string DescribeGiven(const Node& value, ValueType type) {
  if (!HoldsExpression(value.text)) return DescribeKind(value);
  switch (type) {
    case ValueType::kString:
      return "an expression that gives a string";
    case ValueType::kBoolean:
      return "an expression that gives a boolean";
    case ValueType::kNumber:
      return "an expression that gives a number";
    case ValueType::kUnknown:
      break;
  }
  return "an expression";
}

}  // namespace wheelwright
