// Calls of git: without password prompts and background work, and safe against values that look
// like options.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/host/programs/runner.h"

namespace wheelwright {

// Whether the text is a valid name of a branch or tag, and no option, pattern or revision:
// https://git-scm.com/docs/git-check-ref-format
bool IsRefName(std::string_view text);

// `git ARGUMENTS` in a folder, with a time limit: without repositories above that folder, hooks and
// background processes, and on Windows with long paths.
Step GitStep(std::string title, std::string folder, std::vector<std::string> arguments);

// The same with retries, for calls that use the network.
Step GitNetworkStep(std::string title, std::string folder, std::vector<std::string> arguments);

// An address without user and password, for logs.
std::string WithoutCredentials(std::string_view url);

// Whether both are the same repository: ignores ".git", a slash at the end and case.
bool SameRepository(std::string_view a, std::string_view b);

// "ROCm/apex" for an address of GitHub, else the address.
std::string ShortRepository(std::string_view url);

}  // namespace wheelwright
