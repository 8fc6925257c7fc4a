// What templates see of the matrix: the names that every `$[[ ]]` can use. docs/templates.md lists
// them.
//
//   settings, tiers, target_groups, triggers, labels, paths, tests, projects, domains, promotion
//                     the tables as they are written
//   actions.KEY       "owner/name@sha", which carries its version as a comment
//   images.KEY        "image@digest"
//   limits.NAME       the number
//   release_types     a list of rows, each with its `name`
//   torch             a list of rows, each with its `ref`
//   families          a list of rows: key, tier, platforms (names), linux, windows
//   platforms         a list of rows: name, the columns, and `families`: those with a row for it,
//   each with
//                     key, name, tier and the columns for the platform
//   combo_sets.SET    name, and `platforms`: rows as above, with a `families` that holds the gfx
//   builds that
//                     have combos in the set
//
// A gfx build: key, name, title, tier, families (the rows of its members), targets, the columns of
// its family, tests, promotes ("tests", "bypass" or "never") and combos. Of a group, a column is
// the members' common value, else null; lists are joined; a flag is true when it is true for all.
// `tests` has a row for each member with a runner: name, key, runs_on, suffix ("" or "_name").
// A combo: id, label, python, python_id, torch, torch_id, source (the row of `torch`),
// release_types (names), tests, promotes, and the columns that includes added.
//
// Every value's place is its cell in the matrix.
#pragma once

#include <optional>
#include <vector>

#include "base/arena.h"
#include "generator/expression/scope.h"
#include "generator/matrix/combos.h"
#include "generator/matrix/load.h"

namespace wheelwright {

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

}  // namespace wheelwright
