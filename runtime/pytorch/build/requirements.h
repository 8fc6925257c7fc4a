// What a project is built with, besides ROCm and torch.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace wheelwright {

// The requirement files of a project that are in its folder.
std::vector<std::string> RequirementFiles(std::string_view project, const std::string& folder);

}  // namespace wheelwright
