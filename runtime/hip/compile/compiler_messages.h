// Reads the errors in the output of a HIP compiler, and classifies how it ended.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/platform/child_process.h"
#include "runtime/host/programs/tool_error.h"

namespace wheelwright {

// The same for errors of two pairs that have the same cause: the same place and message, in which
// names of GPUs count as equal.
std::string CauseOf(const ToolError& error);

// The first 20 errors of a compiler that failed, in their order. When it wrote none, its last line
// that is not blank is the error.
std::vector<ToolError> ReadCompilerErrors(std::string_view output);

enum class CompileEnd : std::uint8_t {
  kPass,
  kError,        // it refused the source
  kCrash,        // of the compiler itself
  kHang,         // it exceeded the time limit
  kOutOfMemory,  // it exceeded its memory limit, or the system's
  kStopped,      // the job was cancelled, or the compiler could not be started
};

CompileEnd ClassifyEnd(const ProcessEnd& end, std::string_view output);

}  // namespace wheelwright
