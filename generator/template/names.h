// Which names are bound where in a template, known before any of them has a value.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

#include "base/diagnostic.h"
#include "generator/expression/scope.h"
#include "generator/template/tree.h"

namespace wheelwright::template_tree {

// Reports names that hide others (shadowed-name) and that nobody reads (unused-name,
// unused-argument).
class NameTable {
 public:
  // `matrix` are the names that every template sees.
  NameTable(std::span<const std::string_view> matrix, Diagnostics& diagnostics)
      : matrix_(matrix), diagnostics_(diagnostics) {}

  void Bind(const Name& name, BindingKind kind);
  // Whether the name is bound; it counts as read then.
  bool Use(std::string_view name);
  // All that Use() would find, the innermost first.
  std::vector<std::string_view> Visible() const;

  // Something could not be read, so nobody knows what it reads: no more reports of unused names.
  void Doubt() { doubtful_ = true; }

  // Bindings made between Mark() and Leave() end with the latter.
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

// Whether a word cannot be a name, since it introduces a directive.
bool IsKeyword(std::string_view word);

}  // namespace wheelwright::template_tree
