// Publication as an edge between jobs. Jobs of templates have two keys that GitHub does not have:
//
//   publishes: NAME    the job, or what it calls, makes NAME available
//   installs: NAME     the job needs NAME to be available
//
// A name means what the project wants: packages in an index, an image in a registry. Each is a text
// or a list of texts, and is known when files are generated. A job that installs comes after each
// job of its run that publishes the name; the jobs of called workflows count for the jobs that
// call.
#pragma once

#include "base/arena.h"
#include "base/diagnostic.h"
#include "generator/workflow/model.h"

namespace wheelwright {

// Removes the keys from the tree of the workflow, and sets Job::publishes and Job::installs. New
// nodes live in `arena`. Reports values of another kind and leaves them out. Code: wrong-kind.
void TakeOutPublications(Workflow& workflow, Arena& arena, Diagnostics& diagnostics);

}  // namespace wheelwright
