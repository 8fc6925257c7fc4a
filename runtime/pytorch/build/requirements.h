// What a project is built with, besides ROCm and torch.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "runtime/host/programs/runner.h"

namespace wheelwright {

// The requirement files of a project that are in its folder.
std::vector<std::string> RequirementFiles(std::string_view project, const std::string& folder);

// Whether that Python has the packages `build`, `setuptools` and `wheel`. pip needs half a second,
// and maybe the network, to find that out.
bool HasBuildPackages(const std::string& python, Runner& runner);

}  // namespace wheelwright
