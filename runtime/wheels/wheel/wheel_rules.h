// What has to hold for one wheel, whatever lies beside it.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/diagnostic.h"
#include "runtime/wheels/version/python_version.h"
#include "runtime/wheels/wheel/wheel_contents.h"
#include "runtime/wheels/wheel/wheel_findings.h"

namespace wheelwright {

// A version that was decided before the build.
struct ResolvedVersion {
  std::string project;  // normalised
  PackageVersion version;
  SourceRange where;  // in what was given on the command line
};

// What the wheels should be. What is not set is not asked for.
struct WheelExpectations {
  std::optional<WheelPlatform> platform;
  std::optional<PythonVersion> python;
  std::optional<std::vector<ResolvedVersion>> versions;
  // Without `versions`: whether the wheels should be all that a build makes, not some of them.
  bool complete = true;

  // Null when nothing was resolved for it.
  const ResolvedVersion* Find(std::string_view project) const;
};

// A wheel of these is never this small: such a one was built from nothing.
inline constexpr std::uint64_t kLeastTorchWheel = 100 * 1024;
// S3 takes, and copies, no more than this in one request.
inline constexpr std::uint64_t kMostOneRequest = std::uint64_t{5} << 30;

// The wheel as a file: its name, its size, its tags for the run, its version against the resolved.
void CheckWheelFile(const WheelContents& wheel, const WheelExpectations& expected,
                    WheelFindings& findings);
// The archive, and that each file can be unpacked: on Windows, also beside all others.
void CheckWheelArchive(const WheelContents& wheel, const WheelExpectations& expected,
                       WheelFindings& findings);
// METADATA and WHEEL against the file's name.
void CheckWheelTexts(const WheelContents& wheel, WheelFindings& findings);
// That what METADATA pins to one version is there in that version, if it is among `all`.
void CheckWheelRequirements(const WheelContents& wheel, std::span<const WheelContents> all,
                            WheelFindings& findings);
// RECORD and the files against each other, in both directions.
void CheckWheelRecord(const WheelContents& wheel, WheelFindings& findings);
// Shared objects: for the platform's machine, and within what the tags promise of glibc.
void CheckWheelLibraries(const WheelContents& wheel, const WheelExpectations& expected,
                         WheelFindings& findings);

}  // namespace wheelwright
