// The header that sources begin with, compiled once for each target.
//
// Parsing <hip/hip_runtime.h> is nine tenths of the work of a small source. A precompiled header
// yields the same code, but with one clang misses some errors: those in functions of the header
// that are errors only when device code calls them (a `throw` in a __host__ __device__ function).
// The linker finds most of them as undefined functions; not all. So all sources of a target are
// also checked together without the precompiled header, in one compile, which finds them. If that
// fails for any reason, each source is compiled without; so is each source that fails with one.
//
// Sources that are checked together must not change each other's meaning. Canaries do not.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "runtime/hip/compile/compile_commands.h"
#include "runtime/hip/compile/compile_process.h"

namespace wheelwright {

// A header is precompiled when that many sources begin with it; for fewer it costs more than it
// saves.
inline constexpr std::size_t kFewestSharers = 4;

class PrecompiledHeaders {
 public:
  // All are borrowed.
  PrecompiledHeaders(const CompileSettings& settings, const CompileCommands& commands,
                     const CompileProcess& process, Host& host);

  // Makes the headers that pairs share which are not `found` in the cache.
  void Make(const std::vector<Pair>& pairs, const std::vector<char>& found);

  // The path of the precompiled header for a pair; "" when it has none. Constant after Make().
  std::string PathFor(const Pair& pair) const;

 private:
  std::string FirstHeaderOf(const HipSource& source) const;
  bool Check(std::string_view target, const std::vector<std::string>& words) const;

  const CompileSettings& settings_;
  const CompileCommands& commands_;
  const CompileProcess& process_;
  Host& host_;
  std::vector<std::string> headers_;                                 // of each source
  std::map<std::pair<std::string, std::string>, std::string> made_;  // by target and header
};

}  // namespace wheelwright
