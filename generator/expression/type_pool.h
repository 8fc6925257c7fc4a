// Makes types that are not known before the program runs, and keeps them.
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
  // A text that is one of these. `fixed`: adding rows to tables does not make them more.
  ExprType TextOf(std::span<const std::string_view> values, bool fixed);

  // Of a value that has the one type or the other. Two rows become one with the properties of both.
  ExprType EitherOf(const ExprType& one, const ExprType& other);
  // Of `a && b`, where `a` has the type `condition`.
  ExprType BothOf(const ExprType& condition, const ExprType& value);
  // Of `a || b`.
  ExprType OneOf(const ExprType& first, const ExprType& second);

  // Of a value that is there.
  ExprType OfNode(const Node& value);

  Arena& arena() { return arena_; }

 private:
  Arena arena_;
  std::size_t merged_ = 0;  // properties of rows that became one: bounded
};

}  // namespace wheelwright
