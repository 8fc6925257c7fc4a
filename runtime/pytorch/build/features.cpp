#include "runtime/pytorch/build/features.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"

namespace wheelwright {
namespace {

// The peak memory of a compiler: that of attention kernels for several targets. Host code takes
// half of it.
constexpr std::uint64_t kGigabyte = std::uint64_t{1} << 30;
constexpr std::uint64_t kMemoryOfTorchJob = 4 * kGigabyte;
constexpr std::uint64_t kMemoryOfJob = 2 * kGigabyte;

FeatureChoice Choose(const TorchFeature& feature, const TorchWheel& wheel) {
  const auto off = [&](std::string why) {
    return FeatureChoice{feature.name, feature.variables, false, std::move(why)};
  };
  const std::string minor = MinorOf(wheel.version);
  if (!feature.torch.empty() && !HasText(feature.torch, minor)) {
    return off(fmt::format("PyTorch {} is built without it", minor));
  }
  if (!feature.needs.empty() && HasText(wheel.built_here, feature.needs) &&
      !HasText(wheel.versions, feature.needs)) {
    return off(fmt::format("no {} belongs to this build", feature.needs));
  }
  Texts having;
  for (const std::string& target : wheel.targets) {
    const bool excepted =
        std::ranges::any_of(feature.except, [&](const TorchFeature::Except& except) {
          return BeginsLikeAny(target, except.targets) &&
                 (except.before.empty() || IsMinorBefore(minor, except.before));
        });
    const bool fits = feature.targets.empty() || BeginsLikeAny(target, feature.targets);
    if (fits && !excepted) having.push_back(target);
  }
  if (having.empty()) return off("none of the targets has it");
  return {feature.name, feature.variables, true,
          fmt::format("{} {} it", JoinWords(having), having.size() == 1 ? "has" : "have")};
}

}  // namespace

std::vector<FeatureChoice> ChooseFeatures(const std::vector<TorchFeature>& features,
                                          const TorchWheel& wheel) {
  std::vector<FeatureChoice> choices;
  for (const TorchFeature& feature : features) {
    if (!HasText(feature.platforms, wheel.platform)) continue;
    if (feature.name == kFlashAttention && wheel.flash_attention) {
      choices.push_back({feature.name, feature.variables, *wheel.flash_attention, "asked for"});
    } else {
      choices.push_back(Choose(feature, wheel));
    }
  }
  return choices;
}

std::size_t ParallelJobs(std::size_t cores, std::uint64_t memory, std::string_view project) {
  if (memory == 0) return std::max<std::size_t>(cores, 1);
  const std::uint64_t fit = memory / (project == "torch" ? kMemoryOfTorchJob : kMemoryOfJob);
  return std::max<std::size_t>(1, std::min<std::size_t>(cores, static_cast<std::size_t>(fit)));
}

}  // namespace wheelwright
