// Which versions of a package will do.
// https://packaging.python.org/specifications/version-specifiers/ (PEP 440)
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "runtime/version/package_version.h"

namespace wheelwright {

struct VersionSpecifier {
  std::string text;                     // as pip takes it: "==7.12.0", ">=7.10,<8"
  std::optional<PackageVersion> exact;  // the one version that will do, where it is one
};

// Reads a version, which is then the only one, or bounds with commas between them. Nothing where it
// is neither.
std::optional<VersionSpecifier> ParseVersionSpecifier(std::string_view text);

}  // namespace wheelwright
