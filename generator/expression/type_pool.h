// Makes and owns types that depend on the input.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>

#include "base/arena.h"
#include "generator/expression/type.h"
#include "generator/yaml/node.h"

namespace wheelwright {

class TypePool {
 public:
  ExprType ListOf(const ExprType& item);
  // An object with any keys.
  ExprType TableOf(const ExprType& item);
  // `open`: it may have other properties. Names must outlive the pool.
  ExprType RowOf(std::span<const Property> properties, bool open = false,
                 std::string_view noun = {});
  // A text with one of these values. `fixed`: new rows in tables do not add values.
  ExprType TextOf(std::span<const std::string_view> values, bool fixed);

  // The type of a value with either type. Two rows become one with the properties of both.
  ExprType EitherOf(const ExprType& one, const ExprType& other);
  // The type of `a && b`, where `a` has the type `condition`.
  ExprType BothOf(const ExprType& condition, const ExprType& value);
  // The type of `a || b`.
  ExprType OneOf(const ExprType& first, const ExprType& second);

  // The type of an existing value.
  ExprType OfNode(const Node& value);

  Arena& arena() { return arena_; }

 private:
  Arena arena_;
  std::size_t merged_ = 0;  // merged properties, which are limited
};

}  // namespace wheelwright
