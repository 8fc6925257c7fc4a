// What is built of every set of combos and what is not, as a value for the template of plan.json:
// the name `planned_combos`. By set:
//   rows   by combo: python, torch, release_types, tests, and the columns that includes added
//   builds what is built, in the order of the matrix: platform, gfx (its name), key, families,
//   tier,
//          runners (by family; those that have one), promotes ("tests", "bypass" or "never"),
//          combos. A combo that is not as in `rows` for this build stands in `differing`.
//   out    what is not: platform, gfx, key, combos ("all" or a list), kind ("no_row",
//          "known_failure", "grouped", "excluded"), why, issue ("" or a link)
#pragma once

#include <string_view>

#include "base/arena.h"
#include "generator/expression/scope.h"
#include "generator/matrix/cells.h"
#include "generator/matrix/load.h"

namespace wheelwright {

inline constexpr std::string_view kPlannedCombos = "planned_combos";

const Node* PlannedCombos(const Matrix& matrix, const Cells& cells, Arena& arena);

// The names of a matrix, and that of the combos where it has some.
const Scope* WithPlannedCombos(const Scope* names, const Matrix& matrix, const Cells& cells,
                               Arena& arena);

}  // namespace wheelwright
