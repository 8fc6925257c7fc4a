#include "generator/plan/dead_ends.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

#include "base/text.h"

namespace wheelwright {
namespace {

// The dead ends of one build: its combos that are tested, or those that are not.
class DeadEndReporter {
 public:
  DeadEndReporter(const Matrix& matrix, Diagnostics& diagnostics)
      : matrix_(matrix), diagnostics_(diagnostics) {}

  void Report(const CellSet& set, const CellBranch& branch, bool tests) {
    std::size_t held = 0;
    const ExtraColumns* untested = nullptr;
    for (const Cell& cell : branch.cells) {
      if (cell.out != nullptr || FindText(cell.node, "promotes") != "never") continue;
      if (Find(cell.node, "tests")->is_true() != tests) continue;
      ++held;
      if (!tests) untested = cell.extras;
    }
    if (held == 0) return;
    const AxisValue& build = set.Value(branch, branch.at.size() - 1);
    const std::string_view platform = set.Value(branch, 0).key;
    for (const AxisMember& member : build.members) {
      if (FindText(member.node, tests ? "promotes" : "promotes_untested") != "never") continue;
      const Entry* row = FindEntry(Find(matrix_.families, member.key), platform);
      const SourceRange where = row != nullptr ? row->key->where : build.where;
      if (!reported_.insert({where, tests}).second) continue;
      const Node* bypass = Find(member.row, "bypass_tests_for_releases");
      const bool bypassed = bypass != nullptr && bypass->is_true();
      const bool tested = !FindText(member.row, "test_runs_on").empty();
      Diagnostic diagnostic{.severity = Severity::kWarning,
                            .code = "dead-end",
                            .message = fmt::format("wheels of {} for {} can never be promoted: {}",
                                                   build.name, platform,
                                                   bypassed  ? "the policy holds it"
                                                   : !tested ? "no runner, no bypass"
                                                   : !tests  ? "not tested, no bypass"
                                                             : "the policy holds it"),
                            .where = where,
                            .hint = tests && !tested && !bypassed
                                        ? "add test_runs_on or bypass_tests_for_releases"
                                        : "add bypass_tests_for_releases"};
      if (build.members.size() > 1) {
        const std::size_t colon = diagnostic.message.rfind(": ");
        diagnostic.message.insert(colon + 2, fmt::format("{}: ", member.name));
      }
      if (bypassed) diagnostic.hint = "see the rows of 'promotion' in matrix/release.yml";
      if (untested != nullptr && !untested->includes.empty()) {
        diagnostic.related.push_back({untested->includes.back()->where, "their tests are off"});
      }
      diagnostic.notes.push_back(fmt::format("{} {} built, and held in staging",
                                             Count(held, "combo"), held == 1 ? "is" : "are"));
      AddParked(member, diagnostic);
      diagnostics_.Report(std::move(diagnostic));
    }
  }

 private:
  static void AddParked(const AxisMember& member, Diagnostic& diagnostic) {
    const Node* parked = Find(member.row, "parked_runner");
    if (parked == nullptr || !parked->is_mapping()) return;
    if (!FindText(member.row, "test_runs_on").empty()) return;
    diagnostic.notes.push_back(fmt::format("the runner {} is parked: {}",
                                           FindText(parked, "runs_on"), FindText(parked, "issue")));
  }

  const Matrix& matrix_;
  Diagnostics& diagnostics_;
  std::set<std::pair<SourceRange, bool>> reported_;  // sets may build the same
};

}  // namespace

void ReportDeadEnds(const Matrix& matrix, const Cells& cells, Diagnostics& diagnostics) {
  DeadEndReporter reporter(matrix, diagnostics);
  for (const CellSet& set : cells.sets) {
    if (set.taken == 0) continue;
    for (const CellBranch& branch : set.branches) {
      if (branch.out != nullptr) continue;
      reporter.Report(set, branch, true);
      reporter.Report(set, branch, false);
    }
  }
}

}  // namespace wheelwright
