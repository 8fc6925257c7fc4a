// The compiler of HIP sources: where it is, and what its results depend on.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/diagnostic.h"
#include "runtime/host/programs/runner.h"

namespace wheelwright {

struct HipCompiler {
  // What a command begins with: the program and the flags that it needs. Of `hipcc`, which only
  // calls clang, the clang that it calls, with the flags that it adds.
  std::vector<std::string> command;
  std::string version;   // "AMD clang version 20.0.0"
  std::string identity;  // changes with the program's bytes and with its flags
  std::string found_by;  // "hipcc on the PATH"
};

struct CompilerSearch {
  std::string chosen;     // a program, or ""
  std::string rocm_root;  // where ROCm's Python packages are, or ""
  std::string cache;      // the folder in which what was asked is remembered
};

// The chosen one; else that of the ROCm packages; of the variable ROCM_PATH; and of the PATH, where
// hipcc comes before amdclang++ and clang++. Reports when there is none.
std::optional<HipCompiler> FindHipCompiler(const CompilerSearch& search, Runner& runner,
                                           Diagnostics& diagnostics);

// Splits a command line as a shell does: blanks, quotes and backslashes.
std::vector<std::string> SplitCommand(std::string_view line);

}  // namespace wheelwright
