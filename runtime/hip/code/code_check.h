// Whether wheels hold code for the GPUs that they were built for.
#pragma once

#include <string>
#include <vector>

#include "base/diagnostic.h"
#include "runtime/hip/code/wheel_code.h"

namespace wheelwright {

struct CodeExpectations {
  std::vector<GfxTarget> targets;   // empty: nothing is asked for
  std::vector<std::string> except;  // patterns of files that may have code for fewer
};

// What is wrong with one wheel. Errors: a file with code for some targets but not for one that was
// asked for; no code at all in a wheel of torch, or in a file that is no wheel; what cannot be
// read. Warnings: single bundles that lack a target, and code that stands in kpack archives which
// are not among `all`, the wheels that are looked into together.
Diagnostics CheckWheelCode(const WheelCode& wheel, const std::vector<WheelCode>& all,
                           const CodeExpectations& expected);

// What is wrong with all of them together: that none holds code.
Diagnostics CheckAllWheelCode(const std::vector<WheelCode>& wheels,
                              const CodeExpectations& expected);

}  // namespace wheelwright
