// What templates see of the matrix: the names that every `$[[ ]]` can use. ContextNames() and
// ContextRows() say what each holds; docs/template-reference.md is printed from them. Every value's
// place is its cell in the matrix.
#pragma once

#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "base/arena.h"
#include "generator/expression/scope.h"
#include "generator/expression/type_pool.h"
#include "generator/matrix/combos.h"
#include "generator/matrix/load.h"

namespace wheelwright {

// A name that every template sees, or a column of a row that is made for templates. `help` is
// Markdown without a full stop.
struct ContextName {
  std::string_view name;
  std::string_view help;
};

// A kind of row that has columns besides those of a table of the matrix.
struct ContextRow {
  std::string_view title;    // "a gfx build"
  std::string_view where;    // where templates find such rows
  std::string_view written;  // what it also has: "the columns of a platform"; may be empty
  std::span<const ContextName> columns;
};

// What there is beside tables that are seen as they stand.
std::span<const ContextName> ContextNames();
std::span<const ContextRow> ContextRows();

// A gfx build with where it belongs.
struct BuildPlace {
  const ComboSet* set = nullptr;
  const ComboPlatform* platform = nullptr;
  const GfxBuild* build = nullptr;
};

class MatrixContext {
 public:
  // Bindings of kind kMatrix, one for each name.
  const Scope* scope() const { return scope_; }

  // The gfx build that the innermost binding of a node below `combo_sets` stands for: which combos
  // an expanded job belongs to.
  std::optional<BuildPlace> FindBuild(const Scope* scope) const;

 private:
  friend class ContextBuilder;
  const Scope* scope_ = nullptr;
  std::vector<std::pair<const Node*, BuildPlace>> builds_;  // by address of the node
};

// `matrix` and `combos` must outlive the context.
MatrixContext MakeContext(const Matrix& matrix, const Combos& combos, Arena& arena);

// The type of each name that MakeContext() binds. They live as long as the pool and the matrix.
std::vector<Property> TypesOfContext(const Matrix& matrix, const Combos& combos, TypePool& pool);

}  // namespace wheelwright
