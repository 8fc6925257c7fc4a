// The jobs of a literal strategy.matrix
// (https://docs.github.com/actions/how-tos/write-workflows/choose-what-workflows-do/run-job-variations).
#pragma once

#include <cstddef>
#include <vector>

#include "generator/yaml/node.h"

namespace wheelwright {

// The values of one job: those of the axes in their order, then what includes add.
using MatrixLeg = std::vector<Entry>;

// The number of jobs by GitHub's rules for exclude and include; 0 if an axis is an expression.
std::size_t MatrixLegs(const Node& matrix);

// The jobs themselves, in GitHub's order: the last axis varies first, and rows of `include` that
// extend no combination follow. Empty if an axis is an expression, or if there are far too many.
std::vector<MatrixLeg> UnfoldMatrix(const Node& matrix);

}  // namespace wheelwright
