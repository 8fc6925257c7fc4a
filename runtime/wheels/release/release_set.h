// The set of a release: what belongs to one version of ROCm in the index of a family. The rows of
// the matrix declare it: the wheels of each combo, and `release_packages`.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/diagnostic.h"
#include "runtime/wheels/index/distribution.h"
#include "runtime/wheels/plan/plan.h"
#include "runtime/wheels/release/rocm_of_files.h"
#include "runtime/wheels/version/package_version.h"
#include "runtime/wheels/version/python_version.h"

namespace wheelwright {

struct ReleaseMember {
  std::string project;                    // normalised: "torch", "rocm-sdk-core"
  std::string platform;                   // "linux"; "": all, for archives
  std::string tag;                        // the platform tag of its wheels: "linux_x86_64"
  std::string combo;                      // "py312_torch_210"; "": a package of ROCm
  std::optional<PythonVersion> python;    // of a combo
  std::optional<PackageVersion> version;  // nothing: only the build can name it
  std::string minor;                      // of torch, without a version: "2.10"; "": it moves
  std::string label;                      // of the combo's torch ref: "torch210"; see Holds()
  Texts extras;                           // of an archive
  bool archive = false;
  bool needed = true;
  bool left_out = false;  // its combo was not promoted: all of its members are there, or none

  // "torch for Python 3.12 on linux (py312_torch_210)".
  std::string Title() const;
};

// What was done with a combo, and its resolved versions by normalised project.
struct ComboVersions {
  std::string combo;
  std::vector<std::pair<std::string, PackageVersion>> versions;
};
struct ComboVerdict {
  std::string combo;
  std::string verdict;  // of `wheelrun promote`, or the result of its job: "promote", "skipped"
};

struct SetRequest {
  std::string_view combo_set;     // "": the first
  std::string_view family;        // a key, an artifact group, or a group of families
  std::string_view release_type;  // that exists
  std::string_view platform;      // "": all
  PackageVersion rocm;
  // Combos without a row: only the build can name their versions.
  std::vector<ComboVersions> versions;
  // Combos without a row were promoted.
  std::vector<ComboVerdict> verdicts;
  std::string triton = "triton";  // the normalised name of Triton's wheel
};

struct ReleaseSet {
  std::string family;  // as its folder is called
  std::string release_type;
  PackageVersion rocm;
  Texts platforms;  // that are compared
  std::vector<ReleaseMember> members;
  Texts projects;  // normalised, of the combos
  Texts own;       // patterns of the projects that must be in the set themselves
  RocmOfFiles files;

  // Whether the file is of this version of ROCm, and of a project of the set or a package of ROCm.
  bool Holds(const Distribution& file) const;
  bool Compares(std::string_view platform) const;
};

// Reports unknown names, versions or verdicts of combos that the set does not have, and a set
// without members.
std::optional<ReleaseSet> DeclareReleaseSet(const Plan& plan, const SetRequest& request,
                                            Diagnostics& diagnostics);

// Reads {COMBO: {PROJECT: VERSION}}, the output of `wheelrun resolve`, and "COMBO=VERDICT ...".
// Reports invalid text.
std::optional<std::vector<ComboVersions>> ReadComboVersions(std::string_view json,
                                                            std::string_view triton,
                                                            Diagnostics& diagnostics);
std::optional<std::vector<ComboVerdict>> ReadComboVerdicts(std::string_view text,
                                                           Diagnostics& diagnostics);

}  // namespace wheelwright
