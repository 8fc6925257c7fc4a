// What a checkout of Triton says about its build, in its build_env.json.
#pragma once

#include <string>

#include "base/file_system.h"
#include "runtime/pytorch/build/build_environment.h"
#include "runtime/host/platform/child_process.h"

namespace wheelwright {

// The variables of the file, which the build gets; none where there is no such file.
VariablePairs ReadTritonFile(FileSystem& files, const std::string& folder);

// What Triton's wheel is called: TRITON_WHEEL_NAME of its file, else of the environment, else
// "triton". Its setup reads that variable.
std::string TritonWheelName(const VariablePairs& file, const Variables& own);

}  // namespace wheelwright
