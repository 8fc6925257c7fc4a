// Finds the compiler of HIP sources.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/diagnostic.h"
#include "runtime/host/programs/runner.h"

namespace wheelwright {

struct HipCompiler {
  // The program and the flags that it needs. `hipcc` is a wrapper: this is the clang that it calls,
  // with the flags that it adds.
  std::vector<std::string> command;
  std::string version;   // "AMD clang version 20.0.0"
  std::string identity;  // a digest of the program and its linker
  std::string found_by;  // "hipcc on the PATH"
};

struct CompilerSearch {
  std::string chosen;     // program that the user named, or ""
  std::string rocm_root;  // folder of ROCm's Python packages, or ""
  std::string cache;      // folder for the results of the search
};

// In this order: the chosen one; that of the ROCm packages; that in ROCM_PATH or HIP_PATH; hipcc,
// amdclang++ or clang++ on the PATH. Reports when there is none.
std::optional<HipCompiler> FindHipCompiler(const CompilerSearch& search, Runner& runner,
                                           Diagnostics& diagnostics);

// Splits a command line as a shell does: blanks, quotes and backslashes.
std::vector<std::string> SplitCommand(std::string_view line);

}  // namespace wheelwright
