// The version that a wheel will have, read from the sources without running anything in them. How
// its build is told it: runtime/pytorch/build/build_environment.h.
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

// A file of the project at its commit by its path; nothing where there is none.
using ReadSource = std::function<std::optional<std::string>(const std::string& path)>;

// As it stands in the name of the wheel, in normal form: "2.10.0+rocm7.12.0". Most projects have
// `version.txt`. Triton writes its version into setup.py (python/ has it in older versions) and may
// put "+git" and 8 digits of its commit behind it, because what is checked out is a commit and no
// release branch. `suffix` is the local label for the wheels: "+rocm7.12.0". Reports what cannot be
// read, calling the project's sources `where`.
std::optional<std::string> ComputeWheelVersion(std::string_view project, const ReadSource& read,
                                               std::string_view commit, std::string_view suffix,
                                               std::string_view where, Diagnostics& diagnostics);

// Branches of PyTorch may have the same apex or triton. Built for each, they are other files, and
// must not have one name: in an index, one would take the place of the other, untested with its
// torch. Versions that come up for several rows get the row's id behind them: the apex of torch_210
// becomes 1.10.0+rocm7.12.0.torch210. Gives the projects that it happened to.
std::vector<std::string> TellVersionsApart(ByRow& versions);

// What Triton's setup.py says of its version.
struct TritonVersion {
  std::string base;          // "3.5.0"
  bool adds_commit = false;  // "+git" and digits of the commit come behind it
};

// Nothing where it says it in a way that this program does not know.
std::optional<TritonVersion> ReadTritonVersion(std::string_view setup_py);

}  // namespace wheelwright
