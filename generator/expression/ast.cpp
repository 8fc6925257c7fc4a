#include "generator/expression/ast.h"

#include "base/text.h"
#include "generator/yaml/node.h"

namespace wheelwright {

std::optional<std::string_view> PropertyName(const Expr& expr) {
  if (expr.kind == ExprKind::kProperty) return expr.name;
  if (expr.kind != ExprKind::kIndex || expr.operands[1]->kind != ExprKind::kLiteral ||
      !expr.operands[1]->literal->is_string()) {
    return std::nullopt;
  }
  return expr.operands[1]->literal->text;
}

bool IsContext(const Expr& expr, std::string_view context) {
  return expr.kind == ExprKind::kName && EqualsIgnoringCase(expr.name, context);
}

std::optional<std::string_view> PropertyOf(const Expr& expr, std::string_view context) {
  const auto name = PropertyName(expr);
  return name && IsContext(*expr.operands[0], context) ? name : std::nullopt;
}

}  // namespace wheelwright
