// Whether wheels hold code for the GPUs that they were built for.
#pragma once

#include <string>
#include <vector>

#include "base/diagnostic.h"
#include "runtime/hip/code/wheel_code.h"

namespace wheelwright {

struct CodeExpectations {
  std::vector<GfxTarget> targets;   // required; empty: none
  std::vector<std::string> except;  // globs of files that may have code for fewer
};

// The findings in one wheel. Errors: a file has code for some targets but not for a required one;
// a torch wheel, or a file that is no wheel, has no code at all; something cannot be read.
// Warnings: single bundles lack a target; code was moved to kpack archives that none of `all`, the
// wheels that are inspected together, contains.
Diagnostics CheckWheelCode(const WheelCode& wheel, const std::vector<WheelCode>& all,
                           const CodeExpectations& expected);

// The finding that none of the wheels contains code.
Diagnostics CheckAllWheelCode(const std::vector<WheelCode>& wheels,
                              const CodeExpectations& expected);

}  // namespace wheelwright
