// Installs the built wheels into a fresh virtual environment, as users do.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostic.h"
#include "runtime/host/programs/runner.h"
#include "runtime/pytorch/python/interpreter.h"
#include "runtime/pytorch/python/packages.h"
#include "runtime/wheels/plan/plan.h"

namespace wheelwright {

// A wheel that must be installed, instead of any other of its project.
struct PinnedWheel {
  std::string file;
  std::string project;
  std::string version;
  std::string sha256;  // hexadecimal
};

// {"torch-2.10.0-cp312-cp312-linux_x86_64.whl": "9f86d0..."}: the output of an upload. Reports
// errors in it.
std::optional<std::vector<PinnedWheel>> ReadPinnedWheels(std::string_view json,
                                                         Diagnostics& diagnostics);

// "rocm[libraries]==7.12.0" of "rocm[libraries]==7.12.0 ; platform_system == 'Linux'"; only for an
// exact requirement of one of these projects, else "".
std::string OwnRequirement(std::string_view requirement, const Texts& own_projects);

struct Installation {
  const Plan& plan;
  std::string platform;
  std::string family;  // "" when it is not known
  Interpreter python;  // makes the environment
  std::string uv;      // the program; "": use pip
  std::string folder;  // absolute
  PackageSource source;
  std::string torch_version;        // "": none
  std::vector<PinnedWheel> wheels;  // including torch's
  std::string rocm_version;         // "": the one that torch requires
  std::string rocm_extras = "libraries";
  Texts packages;  // more of the source
  bool clean = false;
};

// Makes the environment. Only the source provides the pinned wheels (whose sums are checked before
// their code runs) and what they require of ROCm and of each other. Other requirements come from
// the index; if the source is a page of links, which does not have them, from pip's configured
// index. On failure logs an error and returns false.
bool Install(const Installation& installation, Runner& runner);

}  // namespace wheelwright
