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
  if (expr.op == BinaryOp::kAnd || expr.op == BinaryOp::kOr) return TypeOfLogical(expr);
  const ExprType left = TypeOf(*expr.operands[0]);
  CheckComparison(expr, left, TypeOf(*expr.operands[1]));
  return TypeKind::kBoolean;
}

ExprType TypeInference::TypeOfLogical(const Expr& expr) {
  const ExprType first = TypeOf(*expr.operands[0]);
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
  return function != nullptr ? TypeOfResult(*function, types) : TypeKind::kAny;
}

ExprType TypeInference::TypeOfResult(const Function& function, std::span<const ExprType>) {
  return function.returns;
}

ExprType TypeInference::TypeOfItems(const ExprType&) { return TypeKind::kList; }

ExprType TypeInference::TypeOfPart(const ExprType&, const ExprType&) { return TypeKind::kAny; }

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
    if (root->kind == ExprKind::kIndex) segments.back().index = TypeOf(*root->operands[1]);
  }
  std::reverse(segments.begin(), segments.end());
  const ExprType type =
      root->kind == ExprKind::kName ? TypeOfName(*root, segments) : Follow(TypeOf(*root), segments);
  return filtered ? TypeOfItems(type) : type;
}

ExprType TypeInference::Follow(ExprType from, Path path) {
  const bool strict = rules_ == Rules::kTemplate;
  bool filtered = false;  // `at` is the type of each item
  ExprType at = from;
  for (const Segment& segment : path) {
    const bool no_object = kScalarTypes.Has(at.kind) || (strict && at.kind == TypeKind::kNull) ||
                           (strict && at.kind == TypeKind::kList && !filtered &&
                            (segment.name || segment.index.kind == TypeKind::kText));
    if (no_object) {
      ReportNoProperties(segment, at);
      return TypeKind::kAny;
    }
    filtered = filtered || segment.expr->kind == ExprKind::kAll;
    if (segment.name && !at.properties.empty()) {
      const Property* property = FindProperty(at.properties, *segment.name);
      if (property != nullptr) {
        at = property->type;
        continue;
      }
      if (!at.open) ReportUnknownProperty(segment, at);
      return TypeKind::kAny;
    }
    if (at.item != nullptr) {
      at = ExprType(*at.item);
    } else if (segment.expr->kind == ExprKind::kIndex && at.kind == TypeKind::kObject) {
      at = TypeOfPart(at, segment.index);
    } else {
      return TypeKind::kAny;
    }
  }
  return at;
}

const Property* TypeInference::FindProperty(std::span<const Property> properties,
                                            std::string_view name) const {
  const auto found = std::ranges::find_if(properties, [&](const Property& one) {
    return rules_ == Rules::kGithub ? EqualsIgnoringCase(one.name, name) : one.name == name;
  });
  return found == properties.end() ? nullptr : &*found;
}

}  // namespace wheelwright
