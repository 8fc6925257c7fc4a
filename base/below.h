// Paths as messages show them.
#pragma once

#include <string>
#include <string_view>

namespace wheelwright {

// "a/b" for the folder "a" and the name "b"; "b" for the current folder, which is "." or empty.
std::string Below(std::string_view folder, std::string_view name);

}  // namespace wheelwright
