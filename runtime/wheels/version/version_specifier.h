// Which versions of a package will do.
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
  std::string text;                     // as pip takes it: "==7.12.0", ">=7.10,<8"
  std::optional<PackageVersion> exact;  // the one version that will do, where it is one
  std::vector<VersionClause> clauses = {};

  // Whether the version is within all bounds, as installers compare: a local label counts only
  // where a bound has one. Versions before a release are not treated apart: see `names_pre`.
  bool Allows(const PackageVersion& candidate) const;
  // Whether a bound is a version before a release: installers take such versions only then.
  bool names_pre() const;
};

// Reads a version, which is then the only one, or bounds with commas between them. Nothing where it
// is neither.
std::optional<VersionSpecifier> ParseVersionSpecifier(std::string_view text);

}  // namespace wheelwright
