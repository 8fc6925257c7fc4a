// One set of matrix/pytorch.yml: its product of axes, and what its rules take out and add.
#pragma once

#include "generator/matrix/combos.h"

namespace wheelwright {

// Works out the set that `entry` describes, except for which release types take its combos. Adds
// the reasons and columns that its combos point at to those of `combos`.
ComboSet MakeComboSet(const Entry& entry, const Matrix& matrix, Combos& combos, Arena& arena,
                      Diagnostics& diagnostics);

}  // namespace wheelwright
