// The names that are bound in a template, before expansion.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

#include "base/diagnostic.h"
#include "generator/expression/scope.h"
#include "generator/template/tree.h"

namespace wheelwright::template_tree {

// Reports names that hide others (shadowed-name) and unused ones (unused-name, unused-argument).
class NameTable {
 public:
  // `matrix` are the names that every template sees.
  NameTable(std::span<const std::string_view> matrix, Diagnostics& diagnostics)
      : matrix_(matrix), diagnostics_(diagnostics) {}

  void Bind(const Name& name, BindingKind kind);
  // Whether the name is bound; marks it as used.
  bool Use(std::string_view name);
  // All names that Use() would find, innermost first.
  std::vector<std::string_view> Visible() const;

  // Disables reports of unused names, after an error in an expression that may use them.
  void Doubt() { doubtful_ = true; }

  // Leave() removes the bindings since Mark().
  std::size_t Mark() const { return bound_.size(); }
  void Leave(std::size_t mark);

 private:
  struct Bound {
    Name name;
    BindingKind kind;
    bool used = false;
  };
  std::span<const std::string_view> matrix_;
  Diagnostics& diagnostics_;
  std::vector<Bound> bound_;
  bool doubtful_ = false;
};

// Whether a word is a directive and cannot be a name.
bool IsKeyword(std::string_view word);

}  // namespace wheelwright::template_tree
