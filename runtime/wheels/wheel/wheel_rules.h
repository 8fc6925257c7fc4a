// The checks of one wheel.
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

// A version that was resolved before the build.
struct ResolvedVersion {
  std::string project;  // normalised
  PackageVersion version;
  SourceRange where;  // in what was given on the command line
};

// What packages bring that wheels which require them may use.
struct PackageLibraries {
  std::string project;                 // normalised
  std::vector<std::string> libraries;  // names, with `*` for any text: "libamdhip64.so.*"
  std::vector<std::string> folders;    // at the top of an environment's packages
};

// Where a wheel is going, and the largest file that it takes.
struct StoreLimit {
  std::string store;
  std::uint64_t bytes = 0;
  std::string source;  // who says so
};

// The expected properties of wheels. Unset ones are not checked.
struct WheelExpectations {
  std::optional<WheelPlatform> platform;
  std::optional<PythonVersion> python;
  std::optional<std::vector<ResolvedVersion>> versions;
  // Without `versions`: whether the set must be complete.
  bool complete = true;
  std::vector<PackageLibraries> packages;
  std::vector<StoreLimit> stores;

  // Null when no version was resolved for the project.
  const ResolvedVersion* Find(std::string_view project) const;
};

// A smaller wheel of torch was built from nothing.
inline constexpr std::uint64_t kLeastTorchWheel = 100 * 1024;
// S3's limit for one upload or copy request.
inline constexpr std::uint64_t kMostOneRequest = std::uint64_t{5} << 30;

// Checks the file: name, size, tags, and the version against the resolved one.
void CheckWheelFile(const WheelContents& wheel, const WheelExpectations& expected,
                    WheelFindings& findings);
// Checks the archive, and that each file can be unpacked, on Windows too.
void CheckWheelArchive(const WheelContents& wheel, const WheelExpectations& expected,
                       WheelFindings& findings);
// Checks METADATA and WHEEL against the file name.
void CheckWheelTexts(const WheelContents& wheel, WheelFindings& findings);
// Checks METADATA by its standard, and that the license files are there.
void CheckWheelMetadata(const WheelContents& wheel, WheelFindings& findings);
// Checks the permissions of files: commands can be executed, and nobody gets other rights.
void CheckWheelModes(const WheelContents& wheel, WheelFindings& findings);
// Checks that projects which METADATA requires in one version have it, if they are among `all`.
void CheckWheelRequirements(const WheelContents& wheel, std::span<const WheelContents> all,
                            WheelFindings& findings);
// Checks RECORD and the files against each other.
void CheckWheelRecord(const WheelContents& wheel, WheelFindings& findings);
// Checks shared objects: their machine, and the versions of system libraries against the tags.
void CheckWheelLibraries(const WheelContents& wheel, const WheelExpectations& expected,
                         WheelFindings& findings);
// Checks which libraries shared objects and programs for Linux need and where they look for them,
// and that none can write its code. `all` are the wheels that were built together.
void CheckWheelLinkage(const WheelContents& wheel, const WheelExpectations& expected,
                       std::span<const WheelContents> all, WheelFindings& findings);
// Checks which DLLs those of a wheel for Windows need, and programs too.
void CheckWheelImports(const WheelContents& wheel, const WheelExpectations& expected,
                       std::span<const WheelContents> all, WheelFindings& findings);

}  // namespace wheelwright
