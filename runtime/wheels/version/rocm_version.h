// What the ROCm packages of a run are called: one version, in the three spellings of pip, dpkg and
// rpm.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>

#include "base/diagnostic.h"

namespace wheelwright {

// `ci` and `dev-bkc` are shaped like `dev`. `bkc` stands for best known configuration: the sources
// of an earlier day (the base date), built again.
inline constexpr std::array<std::string_view, 7> kRocmReleaseTypes = {
    "ci", "dev", "dev-bkc", "nightly", "nightly-bkc", "prerelease", "release"};

struct RocmVersionRequest {
  std::string base_version;  // "7.10.0"
  // One of kRocmReleaseTypes, or empty with a `custom_suffix`.
  std::string release_type;
  std::string custom_suffix;       // stands behind the base version as it is: ".dev0+abc"
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

// Reports each thing in the request that is missing, wrong, or of no use, and returns nothing then.
// Takes no clock and no environment: who calls says what day it is.
std::optional<RocmVersions> ComputeRocmVersions(const RocmVersionRequest& request,
                                                Diagnostics& diagnostics);

// Whether the text is a day of the calendar, written YYYYMMDD.
bool IsDate(std::string_view text);

}  // namespace wheelwright
