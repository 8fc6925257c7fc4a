// Takes the entries out of `needs` that say nothing new.
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
  const Node* root = nullptr;  // the same tree when there was nothing to take out
  std::size_t edges_before = 0;
  std::size_t edges_after = 0;
};

// The workflow with the transitive reduction of its `needs`: a job keeps a need only when no other
// need of it reaches that one, or when the job reads it: `needs.X`, `needs['X']`; one that reads
// `needs` as a whole (`needs.*`, toJSON(needs)) keeps all. What runs, and when, stays the same:
// success() and failure() look at all ancestors, not at direct needs alone.
//
// New nodes live in `arena` and share all that did not change. A workflow with a circle is left as
// it is.
ReducedNeeds ReduceNeeds(const Workflow& workflow, Arena& arena);

}  // namespace wheelwright
