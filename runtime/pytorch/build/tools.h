// Programs that builds need in a version that not every machine has.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "runtime/host/programs/runner.h"

namespace wheelwright {

// The folder of the first program of that name on the PATH that is of that version or a newer one.
// The first of the name need not be: Visual Studio puts an older ninja in front of all others.
// Nothing: there is none, which was said.
std::optional<std::string> FindTool(std::string_view name, std::string_view version,
                                    Runner& runner);

// The first version in what a program prints about itself: "1.13.1" of "ninja 1.13.1.git"; or "".
std::string ToolVersion(std::string_view printed);

}  // namespace wheelwright
