// Computes the version of a wheel from the sources, without running them.
// runtime/pytorch/build/build_environment.h passes it to the build.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostic.h"
#include "runtime/pytorch/sources/commits.h"
#include "selection/plan_file.h"

namespace wheelwright {

// Reads a file of the project at its commit; nothing when it does not exist.
using ReadSource = std::function<std::optional<std::string>(const std::string& path)>;

// The version in normal form, as in the wheel's name: "2.10.0+rocm7.12.0". Most projects have
// `version.txt`. Triton has its version in setup.py (in python/ in older versions), and appends
// "+git" and 8 digits of its commit unless it is a release branch. `suffix` is the local label:
// "+rocm7.12.0". Messages call the project's sources `where`.
std::optional<std::string> ComputeWheelVersion(std::string_view project, const ReadSource& read,
                                               std::string_view commit, std::string_view suffix,
                                               std::string_view where, Diagnostics& diagnostics);

// Makes equal versions of several rows different. Branches of PyTorch may have the same apex or
// triton, but the wheels differ and must not replace each other in an index. Appends the row's id:
// the apex of torch_210 becomes 1.10.0+rocm7.12.0.torch210. Returns the changed projects.
std::vector<std::string> TellVersionsApart(ByRow& versions);

// The version in Triton's setup.py.
struct TritonVersion {
  std::string base;          // "3.5.0"
  bool adds_commit = false;  // it appends "+git" and digits of the commit
};

// Nothing when the form is unknown.
std::optional<TritonVersion> ReadTritonVersion(std::string_view setup_py);

}  // namespace wheelwright
