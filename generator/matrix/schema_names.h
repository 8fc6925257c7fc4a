// The names that an expression of a schema can use, with their types.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

#include "generator/expression/template_types.h"

namespace wheelwright {

class SchemaNames : public TypedNames {
 public:
  // `matrix` are those of tables.
  explicit SchemaNames(std::span<const Property> matrix) : matrix_(matrix) {}

  const ExprType* Find(std::string_view name) const override {
    for (auto bound = bound_.rbegin(); bound != bound_.rend(); ++bound) {
      if (bound->name == name) return &bound->type;
    }
    const auto at = std::ranges::find(matrix_, name, &Property::name);
    return at == matrix_.end() ? nullptr : &at->type;
  }
  std::vector<std::string_view> Visible() const override {
    std::vector<std::string_view> names;
    for (auto bound = bound_.rbegin(); bound != bound_.rend(); ++bound) {
      names.push_back(bound->name);
    }
    for (const Property& name : matrix_) names.push_back(name.name);
    return names;
  }

  // Names that are bound between Mark() and Leave() end with the latter.
  void Bind(std::string_view name, const ExprType& type) { bound_.push_back({name, type}); }
  std::size_t Mark() const { return bound_.size(); }
  void Leave(std::size_t mark) { bound_.resize(mark); }

 private:
  std::span<const Property> matrix_;
  std::vector<Property> bound_;
};

}  // namespace wheelwright
