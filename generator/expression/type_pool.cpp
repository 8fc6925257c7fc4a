#include "generator/expression/type_pool.h"

#include <algorithm>
#include <vector>

#include "generator/expression/infer.h"

namespace wheelwright {
namespace {

// Nested rows grow with each union. Above this limit, far from any real project, properties have
// any value.
constexpr std::size_t kMostMerged = 100'000;
constexpr std::size_t kMostColumns = 1000;

bool SameShape(const ExprType& a, const ExprType& b) {
  return a.item == b.item && a.properties.data() == b.properties.data();
}

bool SameNotes(const TypeNotes* a, const TypeNotes* b) {
  if (a == b || a == nullptr || b == nullptr) return a == b;
  return !a->noun.empty() && a->noun == b->noun;
}

}  // namespace

ExprType TypePool::ListOf(const ExprType& item) {
  return {TypeKind::kList, arena_.New<ExprType>(item)};
}

ExprType TypePool::TableOf(const ExprType& item) {
  return {TypeKind::kObject, arena_.New<ExprType>(item)};
}

ExprType TypePool::RowOf(std::span<const Property> properties, bool open, std::string_view noun) {
  ExprType row(std::span<const Property>(arena_.Copy(properties)));
  row.open = open;
  if (!noun.empty()) row.notes = arena_.New<TypeNotes>(TypeNotes{noun, {}, false});
  return row;
}

ExprType TypePool::TextOf(std::span<const std::string_view> values, bool fixed) {
  ExprType text = TypeKind::kText;
  text.notes = arena_.New<TypeNotes>(TypeNotes{{}, arena_.Copy(values), fixed});
  return text;
}

ExprType TypePool::EitherOf(const ExprType& one, const ExprType& other) {
  if (one.kind == TypeKind::kNull || other.kind == TypeKind::kNull) {
    ExprType either = one.kind == TypeKind::kNull ? other : one;
    either.or_nothing = true;
    return either;
  }
  if (one.kind != other.kind) return TypeKind::kAny;
  ExprType either = one;
  either.or_nothing = one.or_nothing || other.or_nothing;
  either.open = one.open || other.open;
  if (!SameNotes(one.notes, other.notes)) either.notes = nullptr;
  if (SameShape(one, other)) return either;
  either.item = nullptr;
  either.properties = {};
  merged_ += one.properties.size() + other.properties.size() + 1;
  if (merged_ > kMostMerged) return either;
  if (one.item != nullptr && other.item != nullptr) {
    either.item = arena_.New<ExprType>(EitherOf(*one.item, *other.item));
  }
  const std::size_t fewer = std::min(one.properties.size(), other.properties.size());
  if (fewer == 0 || one.properties.size() + other.properties.size() > kMostColumns) return either;
  std::vector<Property> properties(one.properties.begin(), one.properties.end());
  for (const Property& property : other.properties) {
    const auto same = std::ranges::find(properties, property.name, &Property::name);
    if (same == properties.end()) {
      properties.push_back(property);
    } else {
      same->type = EitherOf(same->type, property.type);
    }
  }
  either.properties = arena_.Copy(std::span<const Property>(properties));
  return either;
}

ExprType TypePool::BothOf(const ExprType& condition, const ExprType& value) {
  // The result is the condition if that is false, which collections never are.
  if (kCollectionTypes.Has(condition.kind) && !condition.or_nothing) return value;
  ExprType both = value;
  const bool booleans = condition.kind == TypeKind::kBoolean && value.kind == TypeKind::kBoolean;
  if (!booleans || condition.or_nothing) both.or_nothing = true;
  return both;
}

ExprType TypePool::OneOf(const ExprType& first, const ExprType& second) {
  if (first.kind == TypeKind::kNull) return second;
  ExprType true_one = first;
  true_one.or_nothing = false;
  return EitherOf(true_one, second);
}

ExprType TypePool::OfNode(const Node& value) {
  constexpr std::size_t kMostItems = 64;
  if (value.is_scalar()) return TypeOfLiteral(value);
  if (value.is_mapping()) {
    std::vector<Property> properties;
    for (const Entry& entry : value.entries) {
      properties.push_back({entry.key->text, OfNode(*entry.value)});
    }
    return RowOf(properties);
  }
  if (value.items.empty() || value.items.size() > kMostItems) return TypeKind::kList;
  ExprType item = OfNode(*value.items[0]);
  for (const Node* other : value.items.subspan(1)) item = EitherOf(item, OfNode(*other));
  return ListOf(item);
}

}  // namespace wheelwright
