#include "generator/matrix/cells.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

#include "generator/matrix/axis_values.h"
#include "generator/matrix/cell_checks.h"
#include "generator/matrix/cell_columns.h"
#include "generator/matrix/cell_rule.h"
#include "generator/matrix/cell_set.h"
#include "generator/matrix/load.h"

namespace wheelwright {
namespace {

class CellsMaker {
 public:
  CellsMaker(const Matrix& matrix, const Scope* tables, SchemaContext context)
      : matrix_(matrix),
        schema_(matrix.schema),
        tables_(tables),
        context_(context),
        values_(matrix, tables, cells_, context) {}

  Cells Make() {
    for (const AxisSchema& axis : schema_.axes) {
      const std::vector<Outers> all = AllOuters(axis);
      values_.CheckGroups(axis, all);
      if (!axis.table.empty() && axis.values.empty()) AddRows(axis, all);
    }
    for (const SetSchema& set : schema_.sets) {
      const std::size_t first = cells_.sets.size();
      for (const Entry& row : Find(matrix_.tables, set.table)->entries) {
        if (!row.value->is_mapping()) continue;
        cells_.sets.push_back(MakeCellSet(set, row, schema_, values_, cells_, context_));
      }
      if (cells_.counted > kMostCells) return {};
      const std::span made(cells_.sets.begin() + static_cast<std::ptrdiff_t>(first),
                           cells_.sets.end());
      AddTakers(set, made);
      for (CellSet& one : made) {
        ComputeColumns(one, cells_, schema_, tables_, context_);
        CountCells(one);
        CheckCells(one, schema_, context_.diagnostics);
      }
    }
    for (const AxisSchema& axis : schema_.axes) {
      if (axis.all_used) CheckAllUsed(axis, AllOuters(axis));
    }
    return std::move(cells_);
  }

 private:
  // Every choice of rows for the axes on which an axis depends; none where one of them has texts,
  // which sets list.
  std::vector<Outers> AllOuters(const AxisSchema& axis) {
    std::vector<Outers> all{{}};
    for (const std::size_t at : axis.outer) {
      const AxisSchema& outer = schema_.axes[at];
      std::vector<Outers> next;
      for (const Outers& one : all) {
        if (outer.table.empty() || !outer.outer.empty()) continue;
        for (const AxisValue& value : values_.All(outer, {})) {
          if (value.out != nullptr) continue;
          next.push_back(one);
          next.back().push_back({outer.name, value.key, value.node});
        }
      }
      all = std::move(next);
    }
    return all;
  }

  void AddRows(const AxisSchema& axis, const std::vector<Outers>& all) {
    for (const Outers& outers : all) {
      AxisRows& rows = cells_.rows.emplace_back(AxisRows{.axis = &axis, .outer = {}, .there = {}});
      for (const Outer& outer : outers) rows.outer.push_back(outer.key);
      for (const AxisValue& value : values_.All(axis, outers)) {
        if (value.group != nullptr) continue;
        for (const AxisMember& member : value.members) {
          rows.there.push_back(&cells_.members.emplace_back(member));
        }
      }
    }
  }

  // Each takes every cell of its sets that none of its excludes is about. Each has one bit; the
  // sixty-fifth would have none.
  void AddTakers(const SetSchema& set, std::span<CellSet> made) {
    if (set.takers.table.empty()) return;
    const auto& takers = Find(matrix_.tables, set.takers.table)->entries;
    if (takers.size() > 64) {
      context_.diagnostics.Report({.code = "too-many-takers",
                                   .message = fmt::format("{} {} are more than the 64 there can be",
                                                          takers.size(), set.takers.plural),
                                   .where = takers[64].key->where});
      return;
    }
    for (CellSet& one : made) {
      const Node* chosen = Find(one.row, set.takers.chosen);
      for (std::size_t i = 0; i < takers.size(); ++i) {
        const std::string_view key = takers[i].key->text;
        one.takers.push_back(key);
        const auto is_it = [&](const Node* name) { return name->text == key; };
        const bool takes = chosen == nullptr || !chosen->is_sequence() ||
                           std::ranges::any_of(chosen->items, is_it);
        if (takes) one.taken |= std::uint64_t{1} << i;
      }
      for (CellBranch& branch : one.branches) {
        for (Cell& cell : branch.cells) {
          if (cell.out == nullptr) cell.takers = one.taken;
        }
      }
    }
    for (std::size_t i = 0; i < takers.size(); ++i) {
      const Node* excludes = Find(takers[i].value, set.takers.exclude);
      if (excludes == nullptr) continue;
      for (const Node* row : excludes->items) ExcludeFrom(set, made, takers[i], i, *row);
    }
  }

  void ExcludeFrom(const SetSchema& set, std::span<CellSet> made, const Entry& taker,
                   std::size_t number, const Node& row) {
    const std::uint64_t bit = std::uint64_t{1} << number;
    const std::string owner = fmt::format("{} '{}'", set.takers.noun, taker.key->text);
    std::vector<const CellSet*> sets;
    for (const CellSet& one : made) {
      if ((one.taken & bit) != 0) sets.push_back(&one);
    }
    const CellRule rule = ReadRule(row, schema_, set);
    if (sets.empty() || !CheckValues(rule, sets, schema_, owner, false, context_.diagnostics)) {
      return;
    }
    std::size_t removed = 0;
    for (CellSet& one : made) {
      const RuleReach reach(rule, one, schema_);
      ForEachCovered(reach, one, [&](CellBranch&, Cell& cell) {
        if ((cell.takers & bit) != 0) ++removed;
        cell.takers &= ~bit;
      });
    }
    if (removed == 0) ReportUnusedExclude(row, set, owner, nullptr, context_.diagnostics);
  }

  static void CountCells(CellSet& set) {
    for (CellBranch& branch : set.branches) {
      for (const Cell& cell : branch.cells) branch.in += cell.out == nullptr ? 1 : 0;
      set.in += branch.in;
      set.out += branch.cells.size() - branch.in;
    }
  }

  // Which rows of the table of an axis are listed by sets, and which are in their cells.
  void CheckAllUsed(const AxisSchema& axis, const std::vector<Outers>& all) {
    const auto position = static_cast<std::size_t>(&axis - schema_.axes.data());
    std::set<std::string_view> used;
    std::string_view plural;
    for (const CellSet& set : cells_.sets) {
      const auto at = std::ranges::find(set.schema->axes, position) - set.schema->axes.begin();
      if (at == static_cast<std::ptrdiff_t>(set.schema->axes.size())) continue;
      plural = set.schema->plural;
      for (const AxisValue& value : set.values) {
        if (value.axis == position && !axis.values.empty()) used.insert(value.key);
      }
      for (const CellBranch& branch : set.branches) {
        for (const Cell& cell : branch.cells) {
          if (cell.out != nullptr) continue;
          const AxisValue& value = set.Value(cell, static_cast<std::size_t>(at));
          if (value.group == nullptr) used.insert(value.key);
          for (const AxisMember& member : value.members) used.insert(member.key);
        }
      }
    }
    if (plural.empty()) return;
    for (const Entry& row : Find(matrix_.tables, axis.table)->entries) {
      if (used.contains(row.key->text)) continue;
      const auto could_be = [&](const Outers& outers) {
        return std::ranges::any_of(values_.All(axis, outers), [&](const AxisValue& value) {
          return value.key == row.key->text &&
                 (value.out == nullptr || value.out->kind == OutKind::kGrouped);
        });
      };
      if (axis.values.empty() && std::ranges::none_of(all, could_be)) continue;
      ReportUnusedRow(axis, plural, *row.key, context_.diagnostics);
    }
  }

  const Matrix& matrix_;
  const Schema& schema_;
  const Scope* const tables_;
  const SchemaContext context_;
  Cells cells_;
  AxisValues values_;
};

}  // namespace

std::string_view NameOf(OutKind kind) {
  constexpr std::string_view kNames[] = {"itself", "excluded", "grouped", "absent"};
  return kNames[static_cast<std::size_t>(kind)];
}

std::vector<std::string_view> CellSet::TakersOf(const Cell& cell) const {
  std::vector<std::string_view> names;
  for (std::size_t i = 0; i < takers.size(); ++i) {
    if ((cell.takers >> i & 1) != 0) names.push_back(takers[i]);
  }
  return names;
}

const CellSet* Cells::Find(std::string_view kind, std::string_view name) const {
  const auto found = std::ranges::find_if(
      sets, [&](const CellSet& set) { return set.schema->name == kind && set.name == name; });
  return found == sets.end() ? nullptr : &*found;
}

Cells ComputeCells(const Matrix& matrix, const Scope* tables, SchemaContext context) {
  return CellsMaker(matrix, tables, context).Make();
}

}  // namespace wheelwright
