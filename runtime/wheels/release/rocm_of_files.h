// Which version of ROCm a file of a release is of.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "runtime/wheels/index/distribution.h"
#include "runtime/wheels/plan/plan.h"
#include "runtime/wheels/version/package_version.h"

namespace wheelwright {

// The end of a local label that names the torch ref, as runtime/pytorch/sources/wheel_version.h
// appends it: "torch210".
std::string RefLabelOf(const TorchRow& row);

// Packages of ROCm have its version. Other wheels name a known version in their local label, in
// either form of version_suffix.h, at its end or before the label of a torch ref, which tells equal
// versions apart: "1.10.0+rocm7.12.0.torch210", "2.10.0+git1a2b3c4d.rocm7.12.0".
class RocmOfFiles {
 public:
  RocmOfFiles() = default;
  explicit RocmOfFiles(const Plan& plan);

  // Whether it is a package of ROCm: a project of the plan that no combo builds.
  bool IsRocm(const Distribution& file) const;
  // Makes the version known.
  void Add(const PackageVersion& rocm);
  // Nothing for files of no known version.
  std::optional<PackageVersion> Of(const Distribution& file) const;
  // The label of the torch ref at the end of the version; "": none.
  std::string_view RefLabel(const PackageVersion& version) const;

 private:
  Texts own_;    // patterns of projects
  Texts built_;  // those of combos
  Texts refs_;   // labels
  std::map<std::string, PackageVersion> by_label_;
};

}  // namespace wheelwright
