// What the fuzzers share. They are one program, which is compiled and linked in a third of the time
// of fourteen.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string_view>

namespace wheelwright {

// A fuzzer, which the program runs when it is started as NAME_fuzz. `name` is a literal.
struct Fuzzer {
  using TryInput = void (*)(const std::uint8_t* data, std::size_t size);

  Fuzzer(std::string_view name, TryInput try_input);

  std::string_view name;
  TryInput try_input;
  const Fuzzer* next;
};

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
