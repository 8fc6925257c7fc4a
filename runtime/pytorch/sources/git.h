// How git is run: so that nobody is asked for a password, nothing goes on in the background, and no
// value of a stranger can become an option.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/host/programs/runner.h"

namespace wheelwright {

// 40 lower-case hexadecimal digits: a commit, whole.
bool IsCommit(std::string_view text);

// What git takes as the name of a branch or a tag, and what cannot be mistaken for an option, a
// pattern or a revision: https://git-scm.com/docs/git-check-ref-format
bool IsRefName(std::string_view text);

// `git ARGUMENTS` in a folder, with a limit. It does not look for a repository above that folder,
// runs no hooks, leaves nothing running behind it and, on Windows, takes long paths.
Step GitStep(std::string title, std::string folder, std::vector<std::string> arguments);

// The same for what goes over a network: tried several times, with a limit.
Step GitNetworkStep(std::string title, std::string folder, std::vector<std::string> arguments);

// An address without user and password, as it may be shown.
std::string WithoutCredentials(std::string_view url);

// The same repository, however it is written: "https://github.com/ROCm/apex" and the same with
// ".git", a slash behind it or other capitals.
bool SameRepository(std::string_view a, std::string_view b);

// "ROCm/apex" of an address of GitHub, else the address.
std::string ShortRepository(std::string_view url);

}  // namespace wheelwright
