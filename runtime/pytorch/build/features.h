// Chooses the features of a torch wheel and the number of parallel compilers.
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
  Texts versions;                       // projects with wheels in this build
  std::optional<bool> flash_attention;  // overrides the rules
};

struct FeatureChoice {
  std::string name;
  Texts variables;
  bool on = false;
  std::string why;
};

inline constexpr std::string_view kFlashAttention = "flash_attention";

// One choice for each feature of the platform, in the order of the matrix.
std::vector<FeatureChoice> ChooseFeatures(const std::vector<TorchFeature>& features,
                                          const TorchWheel& wheel);

// The number of cores, or less if the memory is too small: a compiler that is killed for lack of
// memory ends a build of hours. `memory` in bytes; 0: unknown.
std::size_t ParallelJobs(std::size_t cores, std::uint64_t memory, std::string_view project);

}  // namespace wheelwright
