// Files that an index lists, by name: wheels and source distributions.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "runtime/wheels/version/package_version.h"

namespace wheelwright {

struct Distribution {
  std::string project;  // normalised: "rocm-sdk-core"
  PackageVersion version;
  bool wheel = false;
};

// Reads "torch-2.10.0-cp312-cp312-linux_x86_64.whl", "rocm-7.10.0.tar.gz", "rocm-7.10.0.zip".
// Nothing for any other name, which installers ignore too.
// https://packaging.python.org/specifications/source-distribution-format/
std::optional<Distribution> ReadDistributionName(std::string_view file);

// Whether the name has the ending of a distribution.
bool EndsLikeDistribution(std::string_view file);

}  // namespace wheelwright
