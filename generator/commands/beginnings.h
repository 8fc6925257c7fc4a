// The projects that `wheelwright init` begins with, as files. CMake embeds them:
// cmake/Projects.cmake.
#pragma once

#include <span>
#include <string_view>
#include <vector>

namespace wheelwright {

struct BeginningFile {
  std::string_view path;  // from the top of the project
  std::string_view text;
};

struct Beginning {
  std::string_view name;  // of --from
  std::string_view says;  // what it is, in a few words
  std::vector<BeginningFile> files;
};

// The first is the default.
std::span<const Beginning> Beginnings();

}  // namespace wheelwright
