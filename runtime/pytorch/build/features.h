// Which parts a wheel of torch has, and how many compilers build it at once.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "runtime/wheels/plan/build_rules.h"

namespace wheelwright {

struct TorchWheel {
  std::string platform;
  PackageVersion version;
  Texts targets;
  Texts built_here;                     // projects that the platform builds
  Texts versions;                       // projects whose wheels belong to this build
  std::optional<bool> flash_attention;  // as somebody wants it, whatever the rules say
};

struct FeatureChoice {
  std::string name;
  Texts variables;
  bool on = false;
  std::string why;
};

inline constexpr std::string_view kFlashAttention = "flash_attention";

// One for each feature that is decided on the platform, in the order of the matrix.
std::vector<FeatureChoice> ChooseFeatures(const std::vector<TorchFeature>& features,
                                          const TorchWheel& wheel);

// As many as there are cores, unless the memory is too small for that: a compiler that is killed
// for want of memory ends a build of hours. `memory` in bytes; 0: not known.
std::size_t ParallelJobs(std::size_t cores, std::uint64_t memory, std::string_view project);

}  // namespace wheelwright
