// Files of the repository that tests read.
#pragma once

#include <string>
#include <string_view>

namespace wheelwright {

// `relative` as in "matrix" or "docs/cli-reference.md". Only source_path.cpp contains the path of
// the repository, so that clones can share a compiler cache.
std::string SourcePath(std::string_view relative);

}  // namespace wheelwright
