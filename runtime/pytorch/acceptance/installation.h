// Wheels in a fresh virtual environment: those that were built, as a user would have them.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostic.h"
#include "runtime/host/programs/runner.h"
#include "runtime/pytorch/python/packages.h"
#include "runtime/wheels/plan/plan.h"

namespace wheelwright {

// A wheel that must be installed, and no other of its project.
struct PinnedWheel {
  std::string file;
  std::string project;
  std::string version;
  std::string sha256;  // hexadecimal
};

// {"torch-2.10.0-cp312-cp312-linux_x86_64.whl": "9f86d0..."}: what an upload gave out. Reports what
// is wrong with it.
std::optional<std::vector<PinnedWheel>> ReadPinnedWheels(std::string_view json,
                                                         Diagnostics& diagnostics);

// "rocm[libraries]==7.12.0" of "rocm[libraries]==7.12.0 ; platform_system == 'Linux'"; only of an
// exact requirement of one of these projects, else "".
std::string OwnRequirement(std::string_view requirement, const Texts& own_projects);

struct Installation {
  const Plan& plan;
  std::string platform;
  std::string family;  // "" when it is not known
  std::string python;  // that the environment is made with
  std::string uv;      // what installs; "": pip
  std::string folder;  // absolute
  PackageSource source;
  std::string torch_version;        // "": none
  std::vector<PinnedWheel> wheels;  // with torch's, if it is there
  std::string rocm_version;         // "": the one that torch requires
  std::string rocm_extras = "libraries";
  Texts packages;  // more of the source
  bool clean = false;
};

// Makes the environment. What belongs together comes from the source alone: the pinned wheels, with
// their sums checked before anything of them runs, and what they require of ROCm and of each other.
// The rest of what they require comes from the index, or, when the source is a page of links, from
// where pip is configured to look: such a page has nothing else. False: it failed, which was said.
bool Install(const Installation& installation, Runner& runner);

}  // namespace wheelwright
