#include "generator/matrix/cell_set.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "generator/matrix/cell_rule.h"

namespace wheelwright {
namespace {

using Positions = std::vector<std::uint32_t>;

class SetBuilder {
 public:
  SetBuilder(const SetSchema& schema, const Entry& row, const Schema& all, AxisValues& values,
             Cells& cells, SchemaContext context)
      : schema_(schema),
        all_(all),
        values_(values),
        cells_(cells),
        context_(context),
        owner_(fmt::format("set '{}'", row.key->text)) {
    set_.schema = &schema;
    set_.name = row.key->text;
    set_.where = row.key->where;
    set_.row = row.value;
  }

  CellSet Build() {
    ForEachRule("include", [&](const Node& row) { CountIncluded(ReadRule(row, all_, schema_)); });
    Positions at;
    AddBranches(at);
    if (cells_.counted > kMostCells) return std::move(set_);
    ForEachRule("exclude", [&](const Node& row) { Exclude(row); });
    ForEachRule("include", [&](const Node& row) { Include(row); });
    std::ranges::stable_sort(set_.branches, {}, &CellBranch::at);
    return std::move(set_);
  }

 private:
  template <typename Use>
  void ForEachRule(std::string_view column, const Use& use) {
    const Node* rules = Find(set_.row, column);
    if (rules == nullptr) return;
    for (const Node* row : rules->items) use(*row);
  }

  const AxisSchema& Axis(std::size_t position) const { return all_.axes[schema_.axes[position]]; }

  // The values of the axes on which an axis depends, among those of the axes in front of it.
  Positions OuterOf(const AxisSchema& axis, const Positions& at) const {
    Positions outer;
    for (const std::size_t one : axis.outer) {
      const auto found = std::ranges::find(schema_.axes, one);
      outer.push_back(at[static_cast<std::size_t>(found - schema_.axes.begin())]);
    }
    return outer;
  }

  Outers Named(const AxisSchema& axis, const Positions& outer) const {
    Outers outers;
    for (std::size_t i = 0; i < outer.size(); ++i) {
      const AxisValue& value = set_.values[outer[i]];
      outers.push_back({all_.axes[axis.outer[i]].name, value.key, value.node});
    }
    return outers;
  }

  // The values of the next axis behind those; a list for each choice of what it depends on.
  Positions& ListFor(const Positions& at) {
    const AxisSchema& axis = Axis(at.size());
    const Positions outer = OuterOf(axis, at);
    const auto [list, is_new] = lists_.try_emplace({at.size(), outer});
    if (is_new) Fill(axis, outer, list->second);
    return list->second;
  }

  void Fill(const AxisSchema& axis, const Positions& outer, Positions& list) {
    const Outers outers = Named(axis, outer);
    if (axis.values.empty()) {
      for (const AxisValue& value : values_.All(axis, outers)) Add(value, outer, list);
      return;
    }
    const Node* given = FollowPath(set_.row, axis.values, [&](std::string_view name) {
      const auto found = std::ranges::find(outers, name, &Outer::axis);
      return found == outers.end() ? std::string_view() : found->key;
    });
    if (given == nullptr) return;
    for (const Entry& entry : given->entries) AddNamed(axis, *entry.key, outer, outers, list);
    for (const Node* item : given->items) AddNamed(axis, *item, outer, outers, list);
  }

  // False when the table has no such row, which was reported where the set was validated.
  bool AddNamed(const AxisSchema& axis, const Node& name, const Positions& outer,
                const Outers& outers, Positions& list) {
    if (axis.table.empty()) {
      Add(values_.Text(axis, name, outers), outer, list);
      return true;
    }
    const auto value = values_.Row(axis, name, outers);
    // A list for each value of another axis names what is there, so this one is no exclusion.
    if (value && value->members.empty() && axis.values.find('{') != std::string_view::npos) {
      ReportValueWithoutRow(axis, *value, name, JoinKeys(outers), context_.diagnostics);
    }
    if (value) Add(*value, outer, list);
    return value.has_value();
  }

  std::uint32_t Add(AxisValue value, const Positions& outer, Positions& list) {
    const auto at = static_cast<std::uint32_t>(set_.values.size());
    value.outer = outer;
    set_.values.push_back(std::move(value));
    list.push_back(at);
    return at;
  }

  // The branches and cells behind these values.
  void AddBranches(Positions& at) {
    if (at.size() == schema_.nested) {
      CellBranch& branch = set_.branches.emplace_back();
      branch.at = at;
      for (const std::uint32_t value : at) {
        if (branch.out == nullptr) branch.out = set_.values[value].out;
      }
      AddCells(branch, at);
      return;
    }
    const Positions list = ListFor(at);
    for (const std::uint32_t value : list) {
      at.push_back(value);
      AddBranches(at);
      at.pop_back();
    }
  }

  void AddCells(CellBranch& branch, Positions& at) {
    if (cells_.counted > kMostCells) return;
    if (at.size() == schema_.axes.size()) {
      if (++cells_.counted > kMostCells) return ReportTooMany(set_.where, {});
      Cell cell;
      cell.at = context_.arena.Copy(std::span<const std::uint32_t>(at));
      for (const std::uint32_t value : at) {
        if (cell.out == nullptr) cell.out = set_.values[value].out;
      }
      branch.cells.push_back(cell);
      return;
    }
    // A list that deeper axes would lengthen is not this one.
    const Positions& list = ListFor(at);
    for (std::size_t i = 0; i < list.size(); ++i) {
      at.push_back(list[i]);
      AddCells(branch, at);
      at.pop_back();
    }
  }

  // ---- exclude ----------------------------------------------------------------------------------

  void Exclude(const Node& row) {
    const CellRule rule = ReadRule(row, all_, schema_);
    const CellSet* const set = &set_;
    if (!CheckValues(rule, std::span(&set, 1), all_, owner_, true, context_.diagnostics)) return;
    cells_.reasons.push_back(
        {OutKind::kExcluded, FindText(&row, "why"), FindText(&row, "issue"), PlaceOf(row)});
    const OutReason* reason = &cells_.reasons.back();
    std::size_t removed = 0;
    const OutReason* before = nullptr;
    const RuleReach reach(rule, set_, all_);
    ForEachCovered(reach, set_, [&](CellBranch&, Cell& cell) {
      if (cell.out == nullptr) {
        if (!TakeMembers(cell, rule, reach, reason)) cell.out = reason;
        ++removed;
      } else if (before == nullptr || cell.out->kind == OutKind::kExcluded) {
        before = cell.out;
      }
    });
    if (removed == 0) ReportUnusedExclude(row, schema_, owner_, before, context_.diagnostics);
  }

  // Takes members out of the groups of a cell. False when it is about whole values alone, or when
  // no member would be left.
  bool TakeMembers(Cell& cell, const CellRule& rule, const RuleReach& reach, const OutReason* why) {
    Positions at(cell.at.begin(), cell.at.end());
    bool taken = false;
    for (std::size_t i = 0; i < at.size(); ++i) {
      if (!reach.TakesMembers(at[i])) continue;
      const auto [without, is_new] = without_.try_emplace({at[i], rule.row});
      if (is_new) without->second = AddWithout(at[i], Axis(i), *rule.values[i], why);
      if (set_.values[without->second].members.empty()) return false;
      at[i] = without->second;
      taken = true;
    }
    if (taken) cell.at = context_.arena.Copy(std::span<const std::uint32_t>(at));
    return taken;
  }

  std::uint32_t AddWithout(std::uint32_t group, const AxisSchema& axis,
                           const std::vector<const Node*>& names, const OutReason* why) {
    std::vector<std::string_view> members;
    for (const Node* name : names) members.push_back(name->text);
    const Positions outer = set_.values[group].outer;
    AxisValue value = values_.Without(axis, set_.values[group], members, Named(axis, outer));
    value.whole = set_.values[group].whole == AxisValue::kWhole ? group : set_.values[group].whole;
    for (const AxisMember& member : set_.values[group].members) {
      const auto stays = [&](const AxisMember& other) { return other.key == member.key; };
      if (std::ranges::any_of(value.members, stays)) continue;
      value.taken.push_back({member.key, member.name, why});
    }
    Positions unlisted;
    return Add(std::move(value), outer, unlisted);
  }

  // ---- include ----------------------------------------------------------------------------------

  void Include(const Node& row) {
    std::vector<Entry> columns;
    for (const Entry& entry : row.entries) {
      const std::string_view key = entry.key->text;
      const bool is_axis = std::ranges::any_of(
          schema_.axes, [&](std::size_t axis) { return all_.axes[axis].name == key; });
      const bool written = entry.key->where.known();  // not filled in
      if (is_axis || !written || IsRemark(key)) continue;
      if (IsReserved(entry)) return;
      columns.push_back(entry);
    }
    // Cells that had the same columns before have the same object after.
    std::map<const ExtraColumns*, const ExtraColumns*> widened;
    const auto widen = [&](const ExtraColumns* before) {
      const ExtraColumns*& wide = widened[before];
      if (wide == nullptr) wide = Widen(before, columns, row);
      return wide;
    };
    for (const CellRule& rule : Unfold(ReadRule(row, all_, schema_))) {
      std::size_t matched = 0;
      const RuleReach reach(rule, set_, all_);
      ForEachCovered(reach, set_, [&](CellBranch&, Cell& cell) {
        if (cell.out != nullptr || cell.include != nullptr) return;
        const auto part = [&](std::uint32_t value) { return reach.TakesMembers(value); };
        if (std::ranges::any_of(cell.at, part)) return;
        ++matched;
        cell.extras = widen(cell.extras);
      });
      if (matched == 0) {
        MakeCell(rule, columns.empty() ? nullptr : widen(nullptr));
      } else if (columns.empty()) {
        ReportUnusedInclude(rule, schema_, owner_, context_.diagnostics);
      }
    }
  }

  // Axes multiply, so a rule of a line could ask for more cells than there is memory.
  void CountIncluded(const CellRule& rule) {
    if (cells_.counted > kMostCells) return;
    std::vector<std::size_t> sizes;
    std::size_t product = 1;
    for (const auto& values : rule.values) {
      sizes.push_back(values ? std::max<std::size_t>(1, values->size()) : 1);
      product = std::min(product, kMostCells + 1) * sizes.back();
    }
    cells_.counted += product;
    if (cells_.counted <= kMostCells) return;
    ReportTooMany(PlaceOf(*rule.row), fmt::format("{} of them", fmt::join(sizes, " x ")));
  }

  void ReportTooMany(SourceRange where, std::string hint) {
    context_.diagnostics.Report(
        {.code = "too-many-combos",
         .message = fmt::format("the sets of {} hold more than the {} there can be", schema_.plural,
                                kMostCells),
         .where = where,
         .hint = std::move(hint)});
  }

  // Whether an include's column would hide one that every cell has; reports it.
  bool IsReserved(const Entry& column) {
    const std::string_view name = column.key->text;
    if (std::ranges::any_of(schema_.defaults,
                            [&](const Entry& entry) { return entry.key->text == name; })) {
      return false;
    }
    if (name != "id" && name != "label" &&
        std::ranges::find(schema_.columns, name, &ComputedColumn::name) == schema_.columns.end()) {
      return false;
    }
    context_.diagnostics.Report(
        {.code = "reserved-column",
         .message = fmt::format("an include cannot set '{}', which every {} has already", name,
                                schema_.noun),
         .where = column.key->where});
    return true;
  }

  const ExtraColumns* Widen(const ExtraColumns* before, std::span<const Entry> columns,
                            const Node& row) {
    ExtraColumns wide;
    if (before != nullptr) wide = *before;
    for (const Entry& column : columns) {
      const auto same = std::ranges::find_if(
          wide.columns, [&](const Entry& entry) { return entry.key->text == column.key->text; });
      if (same == wide.columns.end()) {
        wide.columns.push_back(column);
      } else {
        *same = column;
      }
    }
    wide.includes.push_back(&row);
    wide.number = static_cast<std::uint32_t>(cells_.extras.size() + 1);
    cells_.extras.push_back(std::move(wide));
    return &cells_.extras.back();
  }

  // An include that no cell of the product fits is a cell of its own.
  void MakeCell(const CellRule& rule, const ExtraColumns* extras) {
    for (const auto& values : rule.values) {
      if (!values) {
        return ReportIncompleteInclude(rule, set_, all_, owner_, context_.diagnostics);
      }
    }
    Positions at;
    for (const auto& values : rule.values) {
      const auto value = FindOrAdd(*values->front(), at);
      if (!value) return;
      at.push_back(*value);
    }
    const Positions nested(at.begin(), at.begin() + static_cast<std::ptrdiff_t>(schema_.nested));
    const auto branch = std::ranges::find(set_.branches, nested, &CellBranch::at);
    // It takes its place among the cells of its branch: that of an excluded one, else the last.
    const auto same = std::ranges::find_if(
        branch->cells, [&](const Cell& cell) { return std::ranges::equal(cell.at, at); });
    Cell cell;
    cell.at = context_.arena.Copy(std::span<const std::uint32_t>(at));
    cell.include = rule.row;
    cell.extras = extras;
    if (same == branch->cells.end()) {
      branch->cells.push_back(cell);
    } else if (same->out == nullptr) {
      ReportCellsTwice(rule, schema_, *(same->include == nullptr ? rule.row : same->include),
                       context_.diagnostics);
    } else {
      *same = cell;
    }
  }

  // The value of the next axis behind those of that name, or nothing, which is reported unless the
  // name was found to be none before.
  std::optional<std::uint32_t> FindOrAdd(const Node& name, Positions& at) {
    const AxisSchema& axis = Axis(at.size());
    Positions& list = ListFor(at);
    std::optional<std::uint32_t> found;
    for (const std::uint32_t value : list) {
      if (!set_.values[value].Answers(name.text)) continue;
      if (!found || set_.values[*found].out != nullptr) found = value;
    }
    const Positions outer = OuterOf(axis, at);
    if (!found && !axis.values.empty()) {
      if (!AddNamed(axis, name, outer, Named(axis, outer), list)) return std::nullopt;
      found = list.back();
      if (at.size() < schema_.nested) {
        at.push_back(*found);
        AddBranches(at);
        at.pop_back();
      }
    }
    if (found && set_.values[*found].out == nullptr) return found;
    const std::string where = outer.empty() ? "" : " on " + JoinKeys(Named(axis, outer));
    ReportIncludedValue(name, where, found ? &set_.values[*found] : nullptr, context_.diagnostics);
    return std::nullopt;
  }

  const SetSchema& schema_;
  const Schema& all_;
  AxisValues& values_;
  Cells& cells_;
  const SchemaContext context_;
  const std::string owner_;
  CellSet set_;
  std::map<std::pair<std::size_t, Positions>, Positions> lists_;
  std::map<std::pair<std::uint32_t, const Node*>, std::uint32_t> without_;
};

}  // namespace

CellSet MakeCellSet(const SetSchema& schema, const Entry& row, const Schema& all,
                    AxisValues& values, Cells& cells, SchemaContext context) {
  return SetBuilder(schema, row, all, values, cells, context).Build();
}

}  // namespace wheelwright
