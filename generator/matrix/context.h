// What templates see of the matrix: the names that every `$[[ ]]` can use. Every value's place is
// its cell in the matrix.
//
// A table is seen under its name. It is the value itself or, where the schema gives its `key`, a
// list of rows, each with its key in that column. Of the built-in tables, `actions` and `images`
// are mappings to pinned texts, and `limits` one to numbers.
//
// A row of a table that is an axis also has, by its AxisSchema:
//   list   the rows of the axes that depend on it, as their `rows` computes them
//   back   where an axis depends on another: the keys of the rows of that where this one is
//
// Sets are seen under SetSchema::seen_as, a mapping by the name of the set. A set has
//   name, and the columns of its row but include, exclude and those that list values
//   the `list` of its first nested axis; of none, `cells`
//   out    what is not made: a row for each rule or row that takes cells of a branch out. It has
//          the nested axes by name, each a `key` and a `name`; `cells`, their ids; `whole`, whether
//          the branch can have none; `members`, the keys that are taken out of the group of these
//          cells, which are made without them; `kind` (NameOf an OutKind), `why`, `issue`
// A value of a nested axis has
//   what AxisValue::node has: the key, the axis' `columns`, its `rows`, the row's columns
//   the `list` of the next nested axis; of the last, `cells`
// A cell has
//   id, label, the set's `columns`, its `defaults`, and what includes added
#pragma once

#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "base/arena.h"
#include "generator/expression/scope.h"
#include "generator/expression/type_pool.h"
#include "generator/matrix/cells.h"
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
  std::string_view title;    // "a cell"
  std::string_view where;    // where templates find such rows
  std::string_view written;  // what it also has; may be empty
  std::span<const ContextName> columns;
};

// What there is beside tables that are seen as they stand.
std::span<const ContextName> ContextNames();
std::span<const ContextRow> ContextRows();

// A branch with the set where it belongs.
struct BranchPlace {
  const CellSet* set = nullptr;
  const CellBranch* branch = nullptr;
};

class MatrixContext {
 public:
  // Bindings of kind kMatrix, one for each name.
  const Scope* scope() const { return scope_; }

  // The branch that the innermost binding of a node below a set stands for: which cells an expanded
  // job belongs to.
  std::optional<BranchPlace> FindBranch(const Scope* scope) const;
  // The cell that the innermost such binding stands for, as templates see it, or null.
  const Node* FindCell(const Scope* scope) const;

 private:
  friend class ContextBuilder;
  const Scope* scope_ = nullptr;
  std::vector<std::pair<const Node*, BranchPlace>> branches_;  // by address of the node
  std::vector<const Node*> cells_;                             // likewise
};

// The tables alone, without what axes add to them: what the schema's expressions see.
const Scope* BindTables(const Matrix& matrix, Arena& arena);

// `matrix` and `cells` must outlive the context.
MatrixContext MakeContext(const Matrix& matrix, const Cells& cells, Arena& arena);

// The type of each name that MakeContext() binds. They live as long as the pool and the matrix.
// Reports what is wrong in computed columns of axes and sets, whatever the rows are.
std::vector<Property> TypesOfContext(const Matrix& matrix, const Cells& cells, TypePool& pool,
                                     SchemaContext context);

}  // namespace wheelwright
