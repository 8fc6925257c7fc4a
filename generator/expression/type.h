// Types of expressions.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <span>
#include <string_view>

namespace wheelwright {

enum class TypeKind : std::uint8_t { kAny, kNull, kBoolean, kNumber, kText, kObject, kList };

class TypeSet {
 public:
  constexpr TypeSet(std::initializer_list<TypeKind> kinds = {}) {
    for (const TypeKind kind : kinds) bits_ |= Bit(kind);
  }
  constexpr bool Has(TypeKind kind) const { return (bits_ & Bit(kind)) != 0; }

 private:
  static constexpr unsigned Bit(TypeKind kind) { return 1U << static_cast<unsigned>(kind); }
  unsigned bits_ = 0;
};

inline constexpr TypeSet kScalarTypes{TypeKind::kBoolean, TypeKind::kNumber, TypeKind::kText};
inline constexpr TypeSet kCollectionTypes{TypeKind::kObject, TypeKind::kList};

struct Property;

// Facts about values besides their kind.
struct TypeNotes {
  std::string_view noun;                     // of a row: "a host on one platform"
  std::span<const std::string_view> values;  // of a text: all possible values
  bool fixed = false;                        // new rows in tables do not change `values`
};

// The inferred type of an expression.
struct ExprType {
  TypeKind kind = TypeKind::kAny;
  // The value may also be null or another false value: of an optional column, or of `a && b`.
  bool or_nothing = false;
  // An object with `properties` may have others.
  bool open = false;
  // The properties of an object; empty when unknown, or when all have the type `item`.
  std::span<const Property> properties = {};
  const ExprType* item = nullptr;  // of a list or a table; null: unknown
  const TypeNotes* notes = nullptr;

  constexpr ExprType() = default;
  constexpr ExprType(TypeKind k) : kind(k) {}  // NOLINT(google-explicit-constructor)
  constexpr explicit ExprType(std::span<const Property> row)
      : kind(TypeKind::kObject), properties(row) {}
  constexpr ExprType(TypeKind k, const ExprType* of) : kind(k), item(of) {}
};

struct Property {
  std::string_view name;
  ExprType type;
};

}  // namespace wheelwright
