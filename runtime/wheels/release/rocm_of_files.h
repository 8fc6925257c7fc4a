// Which version of ROCm a file of a release is of.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/wheels/index/distribution.h"
#include "runtime/wheels/plan/plan.h"
#include "runtime/wheels/version/package_version.h"

namespace wheelwright {

// The local labels of wheels that are built against that version of ROCm, in the forms of
// version_suffix.h.
std::vector<std::vector<std::string>> RocmLabels(const PackageVersion& rocm);

// The end of a local label that names the torch ref, as runtime/pytorch/sources/wheel_version.h
// appends it: "torch210".
std::string RefLabelOf(const TorchRow& row);

// Packages of ROCm have its version, and make it known; other wheels name a known version in their
// local label.
class RocmOfFiles {
 public:
  explicit RocmOfFiles(const Plan& plan);

  void Add(const Distribution& file);
  // Nothing for files of others.
  std::optional<PackageVersion> Of(const Distribution& file) const;

 private:
  bool IsRocm(const Distribution& file) const;

  Texts refs_;  // labels
  std::map<std::string, PackageVersion> by_label_;
};

}  // namespace wheelwright
