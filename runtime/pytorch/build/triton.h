// Build settings in build_env.json of a Triton checkout.
#pragma once

#include <string>

#include "base/file_system.h"
#include "runtime/pytorch/build/build_environment.h"
#include "base/platform/child_process.h"

namespace wheelwright {

// The variables of the file for the build; empty when there is no file.
VariablePairs ReadTritonFile(FileSystem& files, const std::string& folder);

// The name of Triton's wheel: TRITON_WHEEL_NAME (which its setup reads) of the file, else of the
// environment, else "triton".
std::string TritonWheelName(const VariablePairs& file, const Variables& own);

}  // namespace wheelwright
