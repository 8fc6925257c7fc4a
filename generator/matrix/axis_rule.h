// A row of `include` or `exclude`: which combos of a set it is about.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "generator/matrix/combos.h"

namespace wheelwright {

enum class Axis : std::uint8_t { kPlatform, kGfx, kPython, kTorch };
inline constexpr std::array kAxes{Axis::kPlatform, Axis::kGfx, Axis::kPython, Axis::kTorch};
std::string_view NameOf(Axis axis);  // "platform"

struct AxisRule {
  const Node* row = nullptr;
  // The values it names per axis, lists unfolded. An axis that is not given fits every combo; one
  // with an empty list fits none.
  std::array<bool, kAxes.size()> given{};
  std::array<std::vector<const Node*>, kAxes.size()> values;

  std::size_t At(Axis axis) const { return static_cast<std::size_t>(axis); }
  bool Has(Axis axis) const { return given[At(axis)]; }
  const std::vector<const Node*>& Values(Axis axis) const { return values[At(axis)]; }
};

AxisRule ReadAxisRule(const Node& row);

// Whether a key of a row is about the row itself: `why`, `issue`.
bool IsRemark(std::string_view key);

// One rule for every way to take one value of each list; for rules with no list, the rule itself.
std::vector<AxisRule> Unfold(const AxisRule& rule);

// The place to blame for the whole row: its first key.
SourceRange PlaceOf(const Node& row);

// A gfx build answers to its key and to its name.
inline bool Answers(const GfxBuild& build, std::string_view name) {
  return build.key == name || build.name == name;
}

// Which values of a platform's axes a rule is about.
class AxisReach {
 public:
  AxisReach(const AxisRule& rule, const ComboPlatform& platform);

  bool Covers(const Combo& combo) const {
    return builds_[combo.build] && pythons_[combo.python] && torches_[combo.torch];
  }
  bool CoversBuild(std::size_t build) const { return builds_[build]; }

 private:
  std::vector<char> builds_, pythons_, torches_;
};

// Calls visit(platform, combo) for every combo that a rule is about, in or out.
template <typename Platforms, typename Visit>
void ForEachCovered(const AxisRule& rule, Platforms& platforms, const Visit& visit) {
  for (auto& platform : platforms) {
    const AxisReach reach(rule, platform);
    for (std::size_t build = 0; build < platform.builds.size(); ++build) {
      if (!reach.CoversBuild(build)) continue;
      const std::size_t first = platform.builds[build].first;
      for (std::size_t i = first; i < first + platform.builds[build].size; ++i) {
        if (reach.Covers(platform.combos[i])) visit(platform, platform.combos[i]);
      }
    }
  }
}

// Reports each value of an exclude that no axis of the platforms has. `owner` says whose rule it
// is: "set 'release'". Returns whether all are there.
bool CheckValues(const AxisRule& rule, std::span<const ComboPlatform* const> platforms,
                 std::string_view owner, Diagnostics& diagnostics);

}  // namespace wheelwright
