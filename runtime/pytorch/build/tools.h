// Finds build tools of a minimum version.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "runtime/host/programs/runner.h"

namespace wheelwright {

// The folder of the first program on the PATH with that name and at least that version; older ones
// are skipped, such as Visual Studio's ninja. When there is none, logs an error and returns
// nothing.
std::optional<std::string> FindTool(std::string_view name, std::string_view version,
                                    Runner& runner);

// The first version in a program's output: "1.13.1" for "ninja 1.13.1.git"; or "".
std::string ToolVersion(std::string_view printed);

}  // namespace wheelwright
