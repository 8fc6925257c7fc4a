// Sources from forks.
#pragma once

#include "base/diagnostic.h"
#include "cli/command.h"
#include "runtime/wheels/plan/plan.h"

namespace wheelwright {

// `--origin PROJECT=URL`, which may be repeated.
OptionSpec OriginOption();

// Sets the origins of the given projects. Reports unknown projects and unsafe addresses.
void TakeOrigins(const Arguments& arguments, Plan& plan, Diagnostics& diagnostics);

}  // namespace wheelwright
