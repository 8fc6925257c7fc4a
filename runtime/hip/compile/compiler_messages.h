// What a compiler wrote, as errors with places, and how it failed.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/host/platform/child_process.h"

namespace wheelwright {

struct CompilerError {
  std::string file;  // as the compiler wrote it; "": it named none
  std::size_t line = 0;
  std::size_t column = 0;
  std::string message;
  // Lines that explain it, a few: where a template was instantiated, the source with a caret.
  std::vector<std::string> lines;

  // Whether two pairs failed for the same reason: the same place and message, where names of GPUs
  // count as equal.
  std::string Cause() const;
};

// The errors in the format of clang and lld, in their order, and of those without a number the
// first 20. Of a compiler that failed without any, the last line that says something is one.
std::vector<CompilerError> ReadCompilerErrors(std::string_view output);

enum class CompileEnd : std::uint8_t {
  kPass,
  kError,        // it refused the source
  kCrash,        // of the compiler itself
  kHang,         // it was ended after its limit of time
  kOutOfMemory,  // it met its limit of memory, or the system's
  kStopped,      // the job was cancelled, or the compiler could not be started
};

CompileEnd ClassifyEnd(const ProcessEnd& end, std::string_view output);

}  // namespace wheelwright
