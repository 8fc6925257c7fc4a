// Builds the wheel of a project from its sources.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "runtime/pytorch/build/compiler_cache.h"
#include "runtime/pytorch/build/features.h"
#include "runtime/pytorch/build/rocm.h"
#include "runtime/wheels/plan/plan.h"
#include "runtime/pytorch/python/packages.h"

namespace wheelwright {

// The settings for all projects of a call.
struct WheelBuild {
  const Plan& plan;
  std::string platform;
  std::string family;
  std::string python;  // the interpreter, absolute
  std::string root;    // of the sources, absolute
  std::string output;  // folder of the wheels, absolute
  TextPairs versions;  // project, version of its wheel
  RocmPackages rocm;
  Texts targets;  // that are compiled for
  CacheChoice cache;
  std::size_t jobs = 0;  // 0: from cores and memory
  std::optional<bool> flash_attention;
  std::string build_number;             // of the wheels' names (PEP 427); "": none
  std::optional<PackageSource> tools;  // the source of build requirements; none: pip's own index
  bool clean = false;

  bool windows() const { return platform == "windows"; }
  // The version of a project's wheel, or "".
  std::string VersionOf(std::string_view project) const;
};

struct BuiltWheel {
  std::string file;
  std::uint64_t bytes = 0;
  std::chrono::milliseconds duration{0};
};

// Builds one project and puts its wheel into the output folder. The build must make exactly one
// wheel with the requested version. Installs the wheels of triton and torch, which other builds
// need. On failure logs an error and returns nothing.
std::optional<BuiltWheel> BuildProject(const WheelBuild& build, const ProjectRow& project,
                                       Runner& runner);

}  // namespace wheelwright
