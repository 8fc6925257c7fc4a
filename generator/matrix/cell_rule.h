// A row of `include` or `exclude`: which cells of a set it is about.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "generator/matrix/cells.h"
#include "generator/matrix/schema.h"

namespace wheelwright {

struct CellRule {
  const Node* row = nullptr;
  // By axis of the set: the values that it names, lists unfolded. An axis that is not given fits
  // every cell; one with an empty list fits none.
  std::vector<std::optional<std::vector<const Node*>>> values;
};

CellRule ReadRule(const Node& row, const Schema& schema, const SetSchema& set);

// Whether a key of a row is about the row itself: `why`, `issue`.
bool IsRemark(std::string_view key);

// One rule for every way to take one value of each list; for rules with no list, the rule itself.
std::vector<CellRule> Unfold(const CellRule& rule);

// The place to blame for the whole row: its first key.
SourceRange PlaceOf(const Node& row);

// Which values of a set a rule is about.
class RuleReach {
 public:
  RuleReach(const CellRule& rule, const CellSet& set, const Schema& schema);

  bool Covers(std::span<const std::uint32_t> at) const {
    for (const std::uint32_t value : at) {
      if (marks_[value] == Mark::kNone) return false;
    }
    return true;
  }
  // Of a value that is a group: whether the rule names members of it and not itself.
  bool TakesMembers(std::uint32_t value) const { return marks_[value] == Mark::kMembers; }

 private:
  enum class Mark : std::uint8_t { kNone, kWhole, kMembers };
  std::vector<Mark> marks_;  // by value
};

// Calls visit(branch, cell) for every cell that a rule is about, in or out.
template <typename Visit>
void ForEachCovered(const RuleReach& reach, CellSet& set, const Visit& visit) {
  for (CellBranch& branch : set.branches) {
    if (!reach.Covers(branch.at)) continue;
    for (Cell& cell : branch.cells) {
      if (reach.Covers(cell.at)) visit(branch, cell);
    }
  }
}

// "set 'release'", "release type 'stable'": whose rule it is.
// Reports each value of an exclude that no axis of the sets has, and returns whether all are there.
// Code: unused-exclude.
bool CheckValues(const CellRule& rule, std::span<const CellSet* const> sets, const Schema& schema,
                 std::string_view owner, bool members, Diagnostics& diagnostics);

// What is wrong with rules, and how it is said. Codes: unused-exclude, unused-include,
// known-failure-selected, duplicate-combo.
// `before` is what took out a cell that the rule is about, or null when it is about none.
void ReportUnusedExclude(const Node& row, const SetSchema& set, std::string_view owner,
                         const OutReason* before, Diagnostics& diagnostics);
void ReportUnusedInclude(const CellRule& rule, const SetSchema& set, std::string_view owner,
                         Diagnostics& diagnostics);
void ReportIncompleteInclude(const CellRule& rule, const CellSet& set, const Schema& schema,
                             std::string_view owner, Diagnostics& diagnostics);
// `value` is what answers to the name and is not built, or null.
void ReportIncludedValue(const Node& name, std::string_view where, const AxisValue* value,
                         Diagnostics& diagnostics);
void ReportValueWithoutRow(const AxisSchema& axis, const AxisValue& value, const Node& name,
                           std::string_view where, Diagnostics& diagnostics);
void ReportCellsTwice(const CellRule& rule, const SetSchema& set, const Node& first,
                      Diagnostics& diagnostics);

}  // namespace wheelwright
