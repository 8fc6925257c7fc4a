#include "generator/plan/dead_ends.h"

#include <fmt/format.h>

#include <utility>

#include "generator/matrix/load.h"
#include "generator/plan/report.h"

namespace wheelwright {
std::vector<const GfxMember*> UnpromotedMembers(const GfxBuild& build, bool tests,
                                                const Node* policy) {
  std::vector<const GfxMember*> members;
  for (const GfxMember& member : build.members) {
    if (PromotionOf(std::span(&member, 1), tests, policy) == Promotes::kNever)
      members.push_back(&member);
  }
  return members;
}

std::string CauseOfDeadEnd(const GfxBuild& build, bool tests,
                           const std::vector<const GfxMember*>& unpromoted) {
  std::vector<std::string> causes;
  for (const GfxMember* member : unpromoted) {
    std::string cause = "the policy holds it";
    if (!member->bypass && member->runner.empty()) cause = "no runner, no bypass";
    if (!member->bypass && !member->runner.empty() && !tests) cause = "not tested, no bypass";
    if (build.members.size() > 1) cause = fmt::format("{}: {}", member->name, cause);
    causes.push_back(std::move(cause));
  }
  return fmt::format("{}", fmt::join(causes, "; "));
}

std::string MendOfDeadEnd(const GfxBuild& build, const ExtraColumns* untested,
                          const std::vector<const GfxMember*>& unpromoted,
                          const SourceManager& sources) {
  std::vector<std::string> mends;
  for (const GfxMember* member : unpromoted) {
    const std::string_view what = untested == nullptr && member->runner.empty()
                                      ? "a test_runs_on or bypass_tests_for_releases"
                                      : "bypass_tests_for_releases";
    // The row of the platform, where the column belongs.
    std::string mend = fmt::format("give {} ({}) {}", member->key,
                                   sources.DescribeLine(member->columns->where.begin), what);
    const Node* parked = Find(member->columns, "parked_runner");
    if (parked != nullptr && parked->is_mapping() && member->runner.empty()) {
      mend += fmt::format("; {} is parked, {}", FindText(parked, "runs_on"),
                          ShortIssue(FindText(parked, "issue")));
    }
    mends.push_back(std::move(mend));
  }
  if (untested != nullptr && !untested->includes.empty() && !build.members.empty()) {
    mends.push_back(fmt::format("drop `tests: false` ({})",
                                sources.DescribeLine(untested->includes.back()->where.begin)));
  }
  return fmt::format("{}", fmt::join(mends, ", or "));
}

}  // namespace wheelwright
