// The policy that decides whether staged wheels move to the release folder: `promotion` of
// matrix/release.yml.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace wheelwright {

// A row of the policy. An empty column matches everything; `*` in a text matches any text.
struct PromotionRow {
  std::vector<std::string> branches;
  std::vector<std::string> builds;
  std::vector<std::string> tests;
  std::optional<bool> runner;
  std::optional<bool> bypass;
  bool promote = false;
  std::string why;
};

// The facts for a decision. `build` and `tests` are GitHub's results of jobs: success, failure,
// cancelled, skipped.
struct PromotionCase {
  std::string_view branch;
  std::string_view build;
  std::string_view tests;
  bool runner = false;  // the family has a test runner
  bool bypass = false;  // the matrix allows promotion without tests
};

// Whether a condition that names these values holds; one that names none always does.
bool Fits(std::span<const std::string> wanted, std::string_view actual);

// The first row that matches, or null when none does; then nothing may be promoted.
const PromotionRow* DecidePromotion(std::span<const PromotionRow> policy,
                                    const PromotionCase& asked);

// The condition for promotion outside of release branches: tests pass, none, or never.
enum class Promotes : std::uint8_t { kTests, kBypass, kNever };
std::string_view NameOf(Promotes promotes);  // "tests", "bypass", "never"

// A family that wheels are for.
struct PromotedFamily {
  bool runner = false;
  bool bypass = false;
};

// The condition for wheels of these families; `tests` is false when the combo is built but not
// tested.
Promotes ExpectPromotion(std::span<const PromotionRow> policy,
                         std::span<const PromotedFamily> families, bool tests);

}  // namespace wheelwright
