// Forks: sources that are taken from somebody's own copy of a repository.
#pragma once

#include "base/diagnostic.h"
#include "cli/command.h"
#include "runtime/wheels/plan/plan.h"

namespace wheelwright {

// `--origin PROJECT=URL`, which may be repeated.
OptionSpec OriginOption();

// Sets the origin of each project that is named. Reports projects that the
// plan does not have, and addresses that git must not be given.
void TakeOrigins(const Arguments& arguments, Plan& plan, Diagnostics& diagnostics);

}  // namespace wheelwright
