#include "generator/plan/dead_ends.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

#include "base/text.h"
#include "generator/plan/report.h"

namespace wheelwright {
namespace {

// The dead ends of one build: its combos that are tested, or those that are not.
class DeadEndReporter {
 public:
  DeadEndReporter(const Matrix& matrix, Diagnostics& diagnostics)
      : matrix_(matrix), diagnostics_(diagnostics) {}

  void Report(const ComboPlatform& platform, const GfxBuild& build, bool tests) {
    std::size_t held = 0;
    const ExtraColumns* untested = nullptr;
    for (const Combo& combo : platform.CombosOf(build)) {
      if (combo.out != nullptr || combo.tests != tests || combo.promotes != Promotes::kNever)
        continue;
      ++held;
      if (!tests) untested = combo.extras;
    }
    if (held == 0) return;
    const auto members = UnpromotedMembers(build, tests, matrix_.promotion);
    for (const GfxMember* member : members) {
      const Entry* row = FindEntry(Find(matrix_.families, member->key), platform.name);
      const SourceRange where = row != nullptr ? row->key->where : build.where;
      if (!reported_.insert({where, tests}).second) continue;
      Diagnostic diagnostic{
          .severity = Severity::kWarning,
          .code = "dead-end",
          .message = fmt::format("wheels of {} for {} can never be promoted: {}", build.name,
                                 platform.name, CauseOfDeadEnd(build, tests, {member})),
          .where = where,
          .hint = tests && member->runner.empty() && !member->bypass
                      ? "add test_runs_on or bypass_tests_for_releases"
                      : "add bypass_tests_for_releases"};
      if (member->bypass) diagnostic.hint = "see the rows of 'promotion' in matrix/release.yml";
      if (untested != nullptr && !untested->includes.empty()) {
        diagnostic.related.push_back({untested->includes.back()->where, "their tests are off"});
      }
      diagnostic.notes.push_back(fmt::format("{} {} built, and held in staging",
                                             Count(held, "combo"), held == 1 ? "is" : "are"));
      AddParked(*member, diagnostic);
      diagnostics_.Report(std::move(diagnostic));
    }
  }

 private:
  static void AddParked(const GfxMember& member, Diagnostic& diagnostic) {
    const Node* parked = Find(member.columns, "parked_runner");
    if (parked == nullptr || !parked->is_mapping() || !member.runner.empty()) return;
    diagnostic.notes.push_back(fmt::format("the runner {} is parked: {}",
                                           FindText(parked, "runs_on"), FindText(parked, "issue")));
  }

  const Matrix& matrix_;
  Diagnostics& diagnostics_;
  std::set<std::pair<SourceRange, bool>> reported_;  // sets may build the same
};

}  // namespace

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

void ReportDeadEnds(const Matrix& matrix, const Combos& combos, Diagnostics& diagnostics) {
  DeadEndReporter reporter(matrix, diagnostics);
  for (const ComboSet& set : combos.sets) {
    if (set.release_types == 0) continue;
    for (const ComboPlatform& platform : set.platforms) {
      for (const GfxBuild& build : platform.builds) {
        if (build.out != nullptr) continue;
        reporter.Report(platform, build, true);
        reporter.Report(platform, build, false);
      }
    }
  }
}

}  // namespace wheelwright
