// The environment variables for each project's build. docs/building.md gives the reason for each
// and the setup that reads it.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "runtime/pytorch/build/features.h"
#include "runtime/pytorch/build/rocm.h"
#include "base/platform/child_process.h"

namespace wheelwright {

// In the order of printing, without duplicates.
using VariablePairs = std::vector<std::pair<std::string, std::string>>;

struct BuildContext {
  std::string project;  // "torch"
  bool windows = false;
  RocmPackages rocm;
  Texts targets;                        // that are compiled for
  std::string version;                  // of the wheel, with its local label: "2.10.0+rocm7.12.0"
  std::string triton_name = "triton";   // of its wheel
  std::string triton_version;           // of the triton that torch requires; "": none
  std::vector<FeatureChoice> features;  // of torch
  std::size_t jobs = 1;
  Variables own;                      // the environment that these are added to
  bool has_device_libraries = false;  // the ROCm packages have them
  bool has_host_math = false;
  VariablePairs triton_file;  // from build_env.json of a triton checkout, for triton alone
  Texts tool_folders;         // folders to put first on the PATH
};

VariablePairs BuildEnvironment(const BuildContext& context);

enum class CompilerCache { kNone, kCcache, kSccache };

// The variables that make compilers use the cache at `path`. `prefix` is the folder in sccache's
// bucket if the environment names a bucket but no folder.
VariablePairs CacheEnvironment(CompilerCache cache, std::string_view path, bool windows,
                               std::string_view prefix, const Variables& own);

// torch/_rocm_init.py: loads the libraries of the ROCm packages before torch's own, and refuses
// packages of another version.
std::string RocmInitFile(const Texts& preloads, std::string_view rocm_version);

}  // namespace wheelwright
