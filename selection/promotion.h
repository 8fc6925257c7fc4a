// The policy that says whether staged wheels move to the release folder: `promotion` of
// matrix/release.yml.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace wheelwright {

// A row of the policy. An empty column fits everything; `*` in a text stands for any text.
struct PromotionRow {
  std::vector<std::string> branches;
  std::vector<std::string> builds;
  std::vector<std::string> tests;
  std::optional<bool> runner;
  std::optional<bool> bypass;
  bool promote = false;
  std::string why;
};

// What is known when the question is asked. `build` and `tests` are results of jobs as GitHub names
// them: success, failure, cancelled, skipped.
struct PromotionCase {
  std::string_view branch;
  std::string_view build;
  std::string_view tests;
  bool runner = false;  // a machine tests the family
  bool bypass = false;  // the matrix lets the family go untested
};

// The first row that fits, or null when none does: then nothing may be promoted.
const PromotionRow* DecidePromotion(std::span<const PromotionRow> policy,
                                    const PromotionCase& asked);

// What has to happen before wheels move, outside of release branches: their tests pass, nothing, or
// no event at all does it.
enum class Promotes : std::uint8_t { kTests, kBypass, kNever };
std::string_view NameOf(Promotes promotes);  // "tests", "bypass", "never"

// A family that wheels are for.
struct PromotedFamily {
  bool runner = false;
  bool bypass = false;
};

// The same for wheels that serve these families; `tests` is false when the combo is built and not
// tested.
Promotes ExpectPromotion(std::span<const PromotionRow> policy,
                         std::span<const PromotedFamily> families, bool tests);

}  // namespace wheelwright
