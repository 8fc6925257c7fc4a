// Versions of Python packages, in full: epochs, pre-, post- and development releases, local labels.
// https://packaging.python.org/specifications/version-specifiers/ (PEP 440)
#pragma once

#include <compare>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace wheelwright {

// A version in its normal form: lower case, no leading zeros, one spelling for everything. Numbers
// are decimal text, because a version may hold numbers of any length.
struct PackageVersion {
  std::string epoch = "0";
  std::vector<std::string> release;  // "2", "10", "0"; never empty

  struct PreRelease {
    std::string phase;  // "a", "b" or "rc"
    std::string number;
  };
  std::optional<PreRelease> pre;
  std::optional<std::string> post;
  std::optional<std::string> dev;
  std::vector<std::string> local;  // behind the `+`, split at dots; empty when there is none

  // "2.10.0a20251124+rocm7.10.0".
  std::string ToString() const;
  // The same without the local label.
  std::string Public() const;
  // The specifier for pip that allows only this version.
  std::string Pin() const { return "==" + ToString(); }
};

// Reads every form that installers accept, such as "v1.0-ALPHA_1" or surrounding blanks.
std::optional<PackageVersion> ParsePackageVersion(std::string_view text);

// The order of PEP 440: 1.0.dev1, 1.0a1, 1.0b1, 1.0rc1, 1.0, 1.0+x, 1.0+1, 1.0.post1. Trailing
// zeros of the release do not count: 1.0 equals 1.
std::strong_ordering operator<=>(const PackageVersion& a, const PackageVersion& b);
inline bool operator==(const PackageVersion& a, const PackageVersion& b) { return (a <=> b) == 0; }

}  // namespace wheelwright
