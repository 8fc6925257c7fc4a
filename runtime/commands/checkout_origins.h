// Forks: sources that are taken from somebody's own copy of a repository.
#pragma once

#include "base/diagnostic.h"
#include "cli/command.h"
#include "runtime/wheels/plan/plan.h"

namespace wheelwright {

// `--origin PROJECT=URL`, which may be repeated.
OptionSpec OriginOption();

// Has the plan take each project that is named from where it is told. Reports projects that the
// plan does not have, and addresses that git must not be given.
void TakeOrigins(const Arguments& arguments, Plan& plan, Diagnostics& diagnostics);

}  // namespace wheelwright
