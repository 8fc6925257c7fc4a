// What is resolved: each wheel of a release by itself, with each of its extras, and all together,
// for each Python.
#pragma once

#include <map>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/wheels/resolve/install_view.h"
#include "runtime/wheels/version/python_version.h"
#include "runtime/wheels/version/requirement.h"
#include "runtime/wheels/wheel/wheel_name.h"

namespace wheelwright {

struct InstallCell {
  PythonVersion python;
  std::vector<std::string> wants;  // "torch[extra]==2.10.0+rocm7.12.0"

  std::string Label() const;  // "Python 3.12: torch[extra]==2.10.0+rocm7.12.0"
};

// The versions of a run, by normalised project. Several refs of one project have several.
using RunVersions = std::map<std::string, std::set<PackageVersion>, std::less<>>;
RunVersions VersionsOf(std::span<const WheelName> wheels);

// The Pythons that the tags of wheels name, in order: none for those of any Python.
std::vector<PythonVersion> PythonsOf(std::span<const WheelName> wheels);

// All together only where a Python has one version of each project: refs exclude each other. Reads
// the extras from the metadata of the wheels. A wheel that requires any version of another project
// of the run, such as "torch", is resolved with that of the run: it does not choose between refs.
std::vector<InstallCell> CellsOf(InstallView& view, std::span<const WheelName> wheels,
                                 std::span<const PythonVersion> pythons, WheelPlatform platform);

// A requirement that a METADATA states for an interpreter, with or without one of `extras`.
struct StatedRequirement {
  Requirement requirement;
  std::string project;  // normalised
};
std::vector<StatedRequirement> RequirementsOf(std::string_view metadata,
                                              const PythonVersion& python, WheelPlatform platform,
                                              std::span<const std::string> extras);

// Whether an installer may choose the file for that interpreter and platform.
bool FitsCell(const IndexedFile& file, const PythonVersion& python, WheelPlatform platform);

}  // namespace wheelwright
