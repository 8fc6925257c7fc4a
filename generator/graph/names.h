// Common and different parts of names.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace wheelwright {

// Names made by one pattern, such as "Build | gcc 14 | debug".
struct CommonName {
  std::string common;                // "Build"
  std::vector<std::string> varying;  // "gcc 13 14 15", "debug release"
};
// Parts are separated by " | "; `fallback` is what is common when no part is.
CommonName FindCommonName(std::span<const std::string_view> names, std::string_view fallback);

// The parts of a name that are not common: "gcc 14 | debug".
std::string Varying(std::string_view name, const CommonName& names);

// "build" for build_py310 and build_py311: what ids begin with, up to a '_' or '-'.
std::string CommonPrefix(std::span<const std::string_view> ids);

// "release_linux_*.yml" for files that begin and end alike.
std::string CommonGlob(std::span<const std::string_view> files);

}  // namespace wheelwright
