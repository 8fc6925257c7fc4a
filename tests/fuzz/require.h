// The assertion of the fuzzers.
#pragma once

#include <cstdio>
#include <cstdlib>
#include <string_view>

namespace wheelwright {

// Ends the program, so that libFuzzer reports the input. `details` describe the result for the
// input, where that is useful.
[[noreturn]] inline void Fail(std::string_view what, std::string_view details = {}) {
  std::fprintf(stderr, "%.*s\n", static_cast<int>(what.size()), what.data());
  std::fprintf(stderr, "%.*s\n", static_cast<int>(details.size()), details.data());
  std::abort();
}

inline void Require(bool holds, std::string_view what) {
  if (!holds) Fail(what);
}

}  // namespace wheelwright
