// What the build of each project is told: the variables that its setup reads. docs/building.md says
// why each is set, and which setup reads which.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "runtime/pytorch/build/features.h"
#include "runtime/pytorch/build/rocm.h"
#include "runtime/host/platform/child_process.h"

namespace wheelwright {

// In the order in which they are printed; no name twice.
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
  Variables own;                      // the environment that they are added to
  bool has_device_libraries = false;  // the ROCm packages hold them
  bool has_host_math = false;
  VariablePairs triton_file;  // what a triton checkout says in build_env.json, of triton alone
  Texts tool_folders;         // of programs that the build shall find before others of their names
};

VariablePairs BuildEnvironment(const BuildContext& context);

enum class CompilerCache { kNone, kCcache, kSccache };

// What makes compilers run behind a cache at `path`. `prefix` is the folder in sccache's bucket,
// where the environment names a bucket and no folder.
VariablePairs CacheEnvironment(CompilerCache cache, std::string_view path, bool windows,
                               std::string_view prefix, const Variables& own);

// torch/_rocm_init.py, by which torch finds the libraries of the ROCm packages before it loads its
// own, and refuses packages of another version.
std::string RocmInitFile(const Texts& preloads, std::string_view rocm_version);

}  // namespace wheelwright
