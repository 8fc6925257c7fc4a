// The version of a run's ROCm packages, in the forms of pip, dpkg and rpm.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>

#include "base/diagnostic.h"

namespace wheelwright {

// `ci` and `dev-bkc` have the form of `dev`. `bkc` is the best known configuration: a rebuild of
// the sources of an earlier day (the base date).
inline constexpr std::array<std::string_view, 7> kRocmReleaseTypes = {
    "ci", "dev", "dev-bkc", "nightly", "nightly-bkc", "prerelease", "release"};

struct RocmVersionRequest {
  std::string base_version;  // "7.10.0"
  // One of kRocmReleaseTypes, or empty with a `custom_suffix`.
  std::string release_type;
  std::string custom_suffix;       // appended to the base version: ".dev0+abc"
  std::string prerelease_version;  // "1"; for prereleases only
  std::string base_date;           // "20260811"; for *-bkc only
  std::string git_sha;             // 40 hexadecimal digits
  std::string date;                // of the run, "20260813"
};

struct RocmVersions {
  std::string wheel;  // PEP 440, normal form: "7.10.0a20260813"
  std::string deb;    // https://www.debian.org/doc/debian-policy/ch-controlfields.html#version
  std::string rpm;    // https://rpm-software-management.github.io/rpm/man/rpm-version.7
};

// Reports everything in the request that is missing, wrong or unused, and returns nothing then.
// Uses no clock and no environment.
std::optional<RocmVersions> ComputeRocmVersions(const RocmVersionRequest& request,
                                                Diagnostics& diagnostics);

// Whether the text is a valid date YYYYMMDD.
bool IsDate(std::string_view text);

}  // namespace wheelwright
