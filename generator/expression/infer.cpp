#include "generator/expression/infer.h"

#include <algorithm>
#include <array>
#include <memory_resource>
#include <vector>

#include "base/text.h"
#include "generator/yaml/node.h"

namespace wheelwright {

ExprType TypeOfLiteral(const Node& literal) {
  switch (literal.kind) {
    case NodeKind::kNull:
      return TypeKind::kNull;
    case NodeKind::kBoolean:
      return TypeKind::kBoolean;
    case NodeKind::kNumber:
      return TypeKind::kNumber;
    case NodeKind::kString:
      return TypeKind::kText;
    case NodeKind::kSequence:
      return TypeKind::kList;
    case NodeKind::kMapping:
      break;
  }
  return TypeKind::kObject;
}

ExprType TypeInference::TypeOf(const Expr& expr) {
  switch (expr.kind) {
    case ExprKind::kLiteral:
      return TypeOfLiteral(*expr.literal);
    case ExprKind::kNot:
      TypeOf(*expr.operands[0]);
      return TypeKind::kBoolean;
    case ExprKind::kBinary:
      return TypeOfBinary(expr);
    case ExprKind::kCall:
      return TypeOfCall(expr);
    case ExprKind::kName:
      return TypeOfName(expr, {});
    default:
      return TypeOfPath(expr);
  }
}

ExprType TypeInference::TypeOfBinary(const Expr& expr) {
  const ExprType first = TypeOf(*expr.operands[0]);
  if (expr.op != BinaryOp::kAnd && expr.op != BinaryOp::kOr) {
    CheckComparison(expr, first, TypeOf(*expr.operands[1]));
    return TypeKind::kBoolean;
  }
  bool same = true;
  for (const Expr* operand : expr.operands.subspan(1)) {
    const ExprType type = TypeOf(*operand);
    same = same && type.kind == first.kind && type.properties.data() == first.properties.data() &&
           type.item == first.item;
  }
  return same ? first : TypeKind::kAny;
}

ExprType TypeInference::TypeOfCall(const Expr& expr) {
  std::vector<ExprType> types;
  types.reserve(expr.operands.size());
  for (const Expr* operand : expr.operands) types.push_back(TypeOf(*operand));
  const Function* function = FindFunction(functions_, expr.name);
  CheckCall(expr, function, types);
  return function != nullptr ? function->returns : TypeKind::kAny;
}

ExprType TypeInference::TypeOfPath(const Expr& expr) {
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
    filtered = filtered || root->kind == ExprKind::kAll;
    segments.push_back({root, PropertyName(*root)});
    if (root->kind == ExprKind::kIndex) TypeOf(*root->operands[1]);
  }
  std::reverse(segments.begin(), segments.end());
  const ExprType type =
      root->kind == ExprKind::kName ? TypeOfName(*root, segments) : Follow(TypeOf(*root), segments);
  return filtered ? TypeKind::kList : type;
}

ExprType TypeInference::Follow(ExprType from, Path path) {
  ExprType at = from;
  for (const Segment& segment : path) {
    if (kScalarTypes.Has(at.kind)) {
      ReportNoProperties(segment, at);
      return TypeKind::kAny;
    }
    if (segment.name && !at.properties.empty()) {
      const Property* property = FindProperty(at.properties, *segment.name);
      if (property == nullptr) {
        ReportUnknownProperty(segment, at);
        return TypeKind::kAny;
      }
      at = property->type;
    } else if (at.item != nullptr) {
      at = ExprType(*at.item);
    } else {
      return TypeKind::kAny;
    }
  }
  return at;
}

const Property* TypeInference::FindProperty(std::span<const Property> properties,
                                            std::string_view name) {
  const auto found = std::ranges::find_if(
      properties, [&](const Property& one) { return EqualsIgnoringCase(one.name, name); });
  return found == properties.end() ? nullptr : &*found;
}

}  // namespace wheelwright
