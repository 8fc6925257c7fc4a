#include "generator/matrix/cell_checks.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <unordered_map>
#include <utility>

namespace wheelwright {
namespace {

class CellsCheck {
 public:
  CellsCheck(const CellSet& set, const Schema& schema, Diagnostics& diagnostics)
      : set_(set), kind_(*set.schema), schema_(schema), diagnostics_(diagnostics) {}

  void Run() {
    CheckIds();
    CheckValues();
  }

 private:
  std::string On(const AxisValue& value) const {
    std::string where;
    for (const std::uint32_t at : value.outer) where.append(" ").append(set_.values[at].key);
    return where.empty() ? "" : " on" + where;
  }

  std::string Describe(const Cell& cell) const {
    std::vector<std::string> parts;
    for (std::size_t i = kind_.nested; i < kind_.axes.size(); ++i) {
      parts.push_back(
          fmt::format("{} {}", schema_.axes[kind_.axes[i]].name, set_.Value(cell, i).key));
    }
    return fmt::format("{}", fmt::join(parts, " with "));
  }

  void CheckIds() {
    for (const CellBranch& branch : set_.branches) {
      std::unordered_map<std::string_view, const Cell*> cells;
      cells.reserve(branch.cells.size());
      for (const Cell& cell : branch.cells) {
        const auto [first, is_new] = cells.emplace(cell.id, &cell);
        if (!is_new) return ReportTwice(*first->second, cell);  // one pair of values makes many
      }
    }
  }

  void ReportTwice(const Cell& first, const Cell& second) {
    std::size_t differing = kind_.nested;
    while (differing + 1 < kind_.axes.size() && first.at[differing] == second.at[differing]) {
      ++differing;
    }
    const AxisValue& value = set_.Value(second, differing);
    diagnostics_.Report(
        {.code = "duplicate-combo",
         .message = fmt::format("two {} of set '{}'{} are called '{}': {}, and {}", kind_.plural,
                                set_.name, On(value), second.id, Describe(first), Describe(second)),
         .where = value.cell->where,
         .related = {{set_.Value(first, differing).cell->where, "the first"}},
         .notes = {fmt::format("`sets.{}.id` of matrix/schema.yml says what {} are called",
                               kind_.name, kind_.plural)}});
  }

  void CheckValues() {
    std::vector<char> used(set_.values.size(), 0);
    for (const CellBranch& branch : set_.branches) {
      for (const Cell& cell : branch.cells) {
        if (cell.out != nullptr) continue;
        for (const std::uint32_t at : cell.at) used[at] = 1;
      }
    }
    for (std::size_t i = 0; i < used.size(); ++i) {
      const AxisValue& value = set_.values[i];
      const auto axis = std::ranges::find(kind_.axes, value.axis) - kind_.axes.begin();
      const bool in_cells = axis >= static_cast<std::ptrdiff_t>(kind_.nested);
      const bool is_listed = !schema_.axes[value.axis].values.empty();
      if (used[i] || !in_cells || !is_listed || value.out != nullptr) continue;
      diagnostics_.Report(
          {.code = "unused-axis-value",
           .message = fmt::format("no {} of set '{}'{} has {} '{}': all are out", kind_.noun,
                                  set_.name, On(value), schema_.axes[value.axis].name, value.key),
           .where = value.cell->where,
           .notes = {"`wheelwright plan --combos` says why each is out"}});
    }
  }

  const CellSet& set_;
  const SetSchema& kind_;
  const Schema& schema_;
  Diagnostics& diagnostics_;
};

}  // namespace

void CheckCells(const CellSet& set, const Schema& schema, Diagnostics& diagnostics) {
  CellsCheck(set, schema, diagnostics).Run();
}

void ReportUnusedRow(const AxisSchema& axis, std::string_view cells, const Node& key,
                     Diagnostics& diagnostics) {
  Diagnostic report{.code = "unused-row", .where = key.where};
  if (axis.values.empty()) {
    report.message = fmt::format("no set of {} has one for '{}'", cells, key.text);
    if (!axis.out.empty()) {
      report.notes.push_back(fmt::format("if there can be none, its row says so: `{}`", axis.out));
    }
  } else {
    report.message = fmt::format("no set of {} lists '{}'", cells, key.text);
    report.notes.push_back("name it in a set, or drop the row");
  }
  diagnostics.Report(std::move(report));
}

}  // namespace wheelwright
