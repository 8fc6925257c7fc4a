// Removes redundant entries of `needs`.
//
// GitHub stores the graph of a run with all its edges and fails without a word when it grows too
// large; the cap is not documented, but 160 jobs with about 4,700 edges were past it
// (https://github.com/cdklabs/cdk-pipelines-github/issues/1456).
#pragma once

#include <cstddef>

#include "base/arena.h"
#include "generator/workflow/model.h"

namespace wheelwright {

struct ReducedNeeds {
  std::size_t edges_before = 0;
  std::size_t edges_after = 0;
};

// Replaces the `needs` of the workflow by their transitive reduction: a job keeps a need only when
// no other need of it reaches that one, or when the job reads it: `needs.X`, `needs['X']`; one that
// reads `needs` as a whole (`needs.*`, toJSON(needs)) keeps all. What runs, and when, stays the
// same: success() and failure() look at all ancestors, not at direct needs alone.
//
// New nodes live in `arena` and share all that did not change; where nothing is taken out, the root
// stays the same. A workflow with a circle is left as it is.
ReducedNeeds ReduceNeeds(Workflow& workflow, Arena& arena);

}  // namespace wheelwright
