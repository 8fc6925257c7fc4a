// Removes redundant entries of `needs`.
//
// GitHub stores the graph of a run with all edges and fails silently when it is too large. The
// limit is undocumented, but 160 jobs with about 4,700 edges exceeded it
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

// Replaces the `needs` of the workflow by their transitive reduction: a job keeps a need only if no
// other need reaches it, or if the job reads it (`needs.X`, `needs['X']`); a job that reads all of
// `needs` (`needs.*`, toJSON(needs)) keeps all. Behaviour does not change, because success() and
// failure() consider all ancestors.
//
// New nodes live in `arena` and share unchanged parts. Does not change a workflow without redundant
// needs or with a cycle.
ReducedNeeds ReduceNeeds(Workflow& workflow, Arena& arena);

}  // namespace wheelwright
