#pragma once

#include "cli/environment.h"
#include "generator/commands/project_run.h"

namespace wheelwright {

struct PinsOptions {
  CommonOptions common;
  bool adopt = false;
};

// Prints the pinned actions and images; or takes newer pins over from the generated files into the
// matrix, and brings all generated files up to date.
int Pins(const PinsOptions& options, Environment& environment);

}  // namespace wheelwright
