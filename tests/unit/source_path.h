// Files of the repository that tests read.
#pragma once

#include <string>
#include <string_view>

namespace wheelwright {

// `relative` as in "matrix" or "docs/cli-reference.md". Where the repository lies is compiled into
// source_path.cpp alone, so that a compiler cache serves every clone.
std::string SourcePath(std::string_view relative);

}  // namespace wheelwright
