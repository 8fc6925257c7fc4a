// What a fuzzer demands of what it runs.
#pragma once

#include <cstdio>
#include <cstdlib>
#include <string_view>

namespace wheelwright {

// Ends the program, which is how a fuzzer learns that an input broke something. `details` tell what
// the input became, where that is worth knowing.
[[noreturn]] inline void Fail(std::string_view what, std::string_view details = {}) {
  std::fprintf(stderr, "%.*s\n", static_cast<int>(what.size()), what.data());
  std::fprintf(stderr, "%.*s\n", static_cast<int>(details.size()), details.data());
  std::abort();
}

inline void Require(bool holds, std::string_view what) {
  if (!holds) Fail(what);
}

}  // namespace wheelwright
