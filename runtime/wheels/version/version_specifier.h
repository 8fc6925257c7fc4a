// Version specifiers of a package: a version or bounds.
// https://packaging.python.org/specifications/version-specifiers/ (PEP 440)
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/wheels/version/package_version.h"

namespace wheelwright {

struct VersionClause {
  std::string sign;  // "~=", "==", "!=", "<=", ">=", "<" or ">"
  PackageVersion version;
  bool prefix = false;  // "==7.12.*"
};

struct VersionSpecifier {
  std::string text;                     // for pip: "==7.12.0", ">=7.10,<8"
  std::optional<PackageVersion> exact;  // if only one version is allowed
  std::vector<VersionClause> clauses = {};

  // Whether the version is within all bounds. As in installers, a local label counts only if the
  // bound has one. Does not exclude pre-releases: see names_pre().
  bool Allows(const PackageVersion& candidate) const;
  // Whether a bound is a pre-release: installers consider pre-releases only then.
  bool names_pre() const;
};

// Reads one version, or bounds separated by commas. Nothing for other text.
std::optional<VersionSpecifier> ParseVersionSpecifier(std::string_view text);

}  // namespace wheelwright
