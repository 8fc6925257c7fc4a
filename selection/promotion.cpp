#include "selection/promotion.h"

#include <algorithm>

#include "base/github_filter.h"

namespace wheelwright {
namespace {

bool Agrees(std::optional<bool> wanted, bool actual) { return !wanted || *wanted == actual; }

}  // namespace

bool Fits(std::span<const std::string> wanted, std::string_view actual) {
  return wanted.empty() || std::ranges::find(wanted, actual) != wanted.end();
}

const PromotionRow* DecidePromotion(std::span<const PromotionRow> policy,
                                    const PromotionCase& asked) {
  const auto found = std::ranges::find_if(policy, [&](const PromotionRow& row) {
    return (row.branches.empty() || MatchesGitHubFilter(row.branches, asked.branch)) &&
           Fits(row.builds, asked.build) && Fits(row.tests, asked.tests) &&
           Agrees(row.runner, asked.runner) && Agrees(row.bypass, asked.bypass);
  });
  return found == policy.end() ? nullptr : &*found;
}

std::string_view NameOf(Promotes promotes) {
  switch (promotes) {
    case Promotes::kTests:
      return "tests";
    case Promotes::kBypass:
      return "bypass";
    case Promotes::kNever:
      break;
  }
  return "never";
}

Promotes ExpectPromotion(std::span<const PromotionRow> policy,
                         std::span<const PromotedFamily> families, bool tests) {
  const auto promoted = [&](const PromotionCase& asked) {
    const PromotionRow* row = DecidePromotion(policy, asked);
    return row != nullptr && row->promote;
  };
  bool all_wait = true;
  for (const PromotedFamily& family : families) {
    const bool tested = tests && family.runner;
    PromotionCase asked{.branch = "main",
                        .build = "success",
                        .tests = tested ? "success" : "skipped",
                        .runner = tested,
                        .bypass = family.bypass};
    if (!promoted(asked)) return Promotes::kNever;
    asked.tests = "failure";
    all_wait = all_wait && tested && !promoted(asked);
  }
  return all_wait ? Promotes::kTests : Promotes::kBypass;
}

}  // namespace wheelwright
