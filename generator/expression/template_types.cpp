#include "generator/expression/template_types.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "generator/expression/check.h"
#include "generator/yaml/text_places.h"

namespace wheelwright {

ExprType TemplateTypes::Check(const Expr& expr, const Node& scalar, std::size_t offset) {
  scalar_ = &scalar;
  offset_ = offset;
  text_ = scalar.text.substr(offset);
  return TypeOf(expr);
}

void TemplateTypes::CheckText(const Expr& expr, const Node& scalar, std::size_t offset) {
  const ExprType type = Check(expr, scalar, offset);
  const bool no_text =
      type.kind == TypeKind::kNull || (kCollectionTypes.Has(type.kind) && !type.or_nothing);
  if (!no_text) return;
  if (auto diagnostic = BeginWhole(expr, "not-text")) {
    diagnostic->message = type.kind == TypeKind::kNull
                              ? "null has no text to stand among other text"
                              : fmt::format("{} is {} and has no text to stand among other text",
                                            Quoted(expr), Describe(type.kind));
    if (type.kind == TypeKind::kList) diagnostic->hint = "write join(list, ',') or toJSON(list)";
    if (type.kind == TypeKind::kObject) diagnostic->hint = "write toJSON(mapping)";
    Finish(std::move(*diagnostic));
  }
}

ExprType TemplateTypes::TypeOfName(const Expr& name, Path path) {
  if (const ExprType* type = names_.Find(name.name)) return Follow(*type, path);
  const ExpressionError error = UnknownName(name, names_.Visible());
  Report(name, "unknown-name", error.message, error.hint);
  return TypeKind::kAny;
}

void TemplateTypes::CheckCall(const Expr& call, const Function* function,
                              std::span<const ExprType> arguments) {
  if (const auto error = wheelwright::CheckCall(call)) {
    Report(call, "template-expression", error->message, error->hint);
  } else {
    CheckArguments(call, *function, arguments);
  }
}

void TemplateTypes::ReportUnknownProperty(const Segment& segment, ExprType object) {
  auto diagnostic = Begin(*segment.expr, "unknown-property");
  if (!diagnostic) return;
  const bool row = object.notes != nullptr && !object.notes->noun.empty();
  std::vector<std::string_view> names;
  for (const Property& property : object.properties) names.push_back(property.name);
  diagnostic->message = fmt::format("{} has no {} '{}'", Quoted(*segment.expr->operands[0]),
                                    row ? "column" : "property", *segment.name);
  diagnostic->hint = DidYouMean(*segment.name, names, "it has");
  if (row) {
    std::vector<std::string> words(names.begin(), names.end());
    diagnostic->notes.push_back(
        fmt::format("the columns of {} are {}", object.notes->noun, JoinWords(words)));
  }
  Finish(std::move(*diagnostic));
}

void TemplateTypes::ReportNoProperties(const Segment& segment, ExprType value) {
  const Expr& object = *segment.expr->operands[0];
  std::string wanted = "no items";
  if (segment.name) wanted = fmt::format("no property '{}'", *segment.name);
  std::string hint;
  if (value.kind == TypeKind::kList && segment.name) {
    hint = fmt::format("write {0}[0], or {0}.*.{1}", Written(object), *segment.name);
  } else if (value.kind == TypeKind::kList) {
    wanted = "no keys";
    hint = "a list is indexed by a whole number";
  }
  Report(*segment.expr, "unknown-property",
         fmt::format("{} is {} and has {}", Quoted(object), Describe(value.kind), wanted),
         std::move(hint));
}

ExprType TemplateTypes::TypeOfLogical(const Expr& expr) {
  ExprType type = TypeOf(*expr.operands[0]);
  for (const Expr* operand : expr.operands.subspan(1)) {
    const ExprType next = TypeOf(*operand);
    type = expr.op == BinaryOp::kAnd ? pool_.BothOf(type, next) : pool_.OneOf(type, next);
  }
  return type;
}

ExprType TemplateTypes::TypeOfResult(const Function& function,
                                     std::span<const ExprType> arguments) {
  if (function.name == "keys" || function.name == "split") return pool_.ListOf(TypeKind::kText);
  if (function.name == "unique" && arguments.size() == 1 && arguments[0].kind == TypeKind::kList) {
    return arguments[0];
  }
  if (function.name == "where" && !arguments.empty()) return arguments[0];
  if (function.name == "find" && !arguments.empty() && arguments[0].item != nullptr) {
    ExprType row = *arguments[0].item;
    row.or_nothing = true;
    return row;
  }
  if (function.name != "case" || arguments.size() % 2 == 0) return function.returns;
  ExprType type = arguments.back();
  for (std::size_t i = 1; i < arguments.size(); i += 2) type = pool_.EitherOf(type, arguments[i]);
  return type;
}

ExprType TemplateTypes::TypeOfItems(const ExprType& item) { return pool_.ListOf(item); }

// compiler[host.name]: the union of the row's types for all hosts.
ExprType TemplateTypes::TypeOfPart(const ExprType& object, const ExprType& index) {
  if (index.notes == nullptr || index.notes->values.empty()) return TypeKind::kAny;
  const ExprType* first = nullptr;
  ExprType type;
  for (const Property& property : object.properties) {
    if (std::ranges::find(index.notes->values, property.name) == index.notes->values.end())
      continue;
    type = first == nullptr ? property.type : pool_.EitherOf(type, property.type);
    first = &property.type;
  }
  return type;
}

std::optional<Diagnostic> TemplateTypes::BeginAt(std::size_t offset, std::size_t length,
                                                 std::string_view code) {
  Diagnostic diagnostic;
  diagnostic.code = code;
  diagnostic.where = TextPlaces(sources_).Locate(*scalar_, offset_ + offset, length);
  return diagnostic;
}

void TemplateTypes::Finish(Diagnostic diagnostic) { diagnostics_.Report(std::move(diagnostic)); }

}  // namespace wheelwright
