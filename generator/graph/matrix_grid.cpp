#include "generator/graph/matrix_grid.h"

#include <fmt/format.h>

#include <map>
#include <utility>

namespace wheelwright {
namespace {

class GridMaker {
 public:
  GridMaker(const PlanReport& report, Grid& grid) : report_(report), grid_(grid) {}

  void Make() {
    FindColumns();
    // By value, in the order of their first appearance, wherever that is.
    std::map<std::string_view, std::size_t> order;
    for (const PlanPart& part : report_.parts) {
      if (part.set != grid_.set) continue;
      for (const CellBranch* branch : part.branches) {
        order.emplace(KeyOf(part, *branch), order.size());
        AddRow(part, *branch);
      }
    }
    std::ranges::stable_sort(
        grid_.rows, {}, [&](const GridRow& row) { return order[KeyOf(*row.part, *row.branch)]; });
  }

 private:
  static std::string_view KeyOf(const PlanPart& part, const CellBranch& branch) {
    const AxisValue* value = part.ValueOf(branch);
    return value == nullptr ? std::string_view() : value->key;
  }

  std::vector<std::string_view> ValuesOf(const Cell& cell) const {
    const SetSchema& kind = *grid_.set->schema;
    std::vector<std::string_view> values;
    for (std::size_t i = kind.axes.size(); i-- > kind.nested;) {
      values.push_back(grid_.set->Value(cell, i).key);
    }
    return values;
  }

  // All choices of the values of the axes.
  void FindColumns() {
    const SetSchema& kind = *grid_.set->schema;
    std::vector<std::vector<std::string_view>> lists;
    for (std::size_t i = kind.axes.size(); i-- > kind.nested;) {
      grid_.axes.push_back(kind.axes[i]);
      std::vector<std::string_view>& list = lists.emplace_back();
      for (const AxisValue& value : grid_.set->values) {
        if (value.axis == kind.axes[i]) AddOnce(list, value.key);
      }
    }
    AddColumns(lists, {});
  }

  void AddColumns(const std::vector<std::vector<std::string_view>>& lists,
                  std::vector<std::string_view> values) {
    if (values.size() == lists.size()) {
      at_.emplace(values, grid_.columns.size());
      grid_.columns.push_back({std::move(values)});
      return;
    }
    for (const std::string_view value : lists[values.size()]) {
      std::vector<std::string_view> more = values;
      more.push_back(value);
      AddColumns(lists, std::move(more));
    }
  }

  // States first, then OutKind.
  std::size_t StyleOf(const Cell& cell) const {
    if (cell.out == nullptr) return cell.view->state;
    return grid_.set->schema->view.states.size() + static_cast<std::size_t>(cell.out->kind);
  }

  void AddRow(const PlanPart& part, const CellBranch& branch) {
    GridRow row{.part = &part, .branch = &branch, .mend = {}, .cells = {}};
    row.cells.resize(grid_.columns.size(), {.style = grid_.styles.size() - 1});
    for (const Cell& cell : branch.cells) {
      row.cells[at_.at(ValuesOf(cell))] = {StyleOf(cell), &cell};
      if (cell.view != nullptr && !cell.view->mend.empty()) row.mend = cell.view->mend;
    }
    grid_.rows.push_back(std::move(row));
  }

  const PlanReport& report_;
  Grid& grid_;
  std::map<std::vector<std::string_view>, std::size_t> at_;
};

}  // namespace

std::vector<CellStyle> StylesOf(const SetSchema& kind) {
  constexpr std::string_view kLetters = "tbs";
  std::vector<CellStyle> styles;
  std::size_t next = 0;
  for (const StateSchema& state : kind.view.states) {
    const char letter = state.dead_end ? 'd' : kLetters[std::min(next++, kLetters.size() - 1)];
    styles.push_back({letter, state.title, state.sign});
  }
  styles.push_back({'k', "known failure", "✕"});
  styles.push_back({'x', "excluded", "–"});
  styles.push_back({'g', "part of a group", "→"});
  styles.push_back({'n', "no row there", "·"});
  styles.push_back({'o', "not combined", ""});
  return styles;
}

std::string Grid::Rest(const GridColumn& column) const {
  return fmt::format("{}", fmt::join(column.values.begin() + 1, column.values.end(), " "));
}

std::vector<Grid> MakeGrids(const PlanReport& report, const Schema& schema) {
  std::vector<Grid> grids;
  for (const PlanPart& part : report.parts) {
    if (!grids.empty() && grids.back().set == part.set) continue;
    Grid& grid = grids.emplace_back();
    grid.set = part.set;
    grid.name = part.set->name;
    if (schema.sets.size() > 1) grid.name = fmt::format("{} {}", part.set->schema->name, grid.name);
    grid.styles = StylesOf(*part.set->schema);
    GridMaker(report, grid).Make();
  }
  return grids;
}

std::string_view TitleOf(const AxisValue& value) {
  const std::string_view title = FindText(value.node, "title");
  return title.empty() ? value.key : title;
}

std::string WhereOf(const PlanPart& part) {
  std::vector<std::string_view> titles;
  for (const AxisValue* value : part.values) titles.push_back(TitleOf(*value));
  return fmt::format("{}", fmt::join(titles, " "));
}

std::string_view NameOf(const GridRow& row) {
  const AxisValue* value = row.part->ValueOf(*row.branch);
  return value == nullptr ? row.part->set->name : value->brief;
}

}  // namespace wheelwright
