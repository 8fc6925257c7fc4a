#include "generator/graph/matrix_change.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace wheelwright {
namespace {

using CellState = MatrixState::CellState;
using RowState = MatrixState::RowState;
using Key = std::vector<std::string>;

Key ValuesOf(const GridColumn& column) { return {column.values.begin(), column.values.end()}; }

CellState StateOf(const Grid& grid, const GridCell& cell) {
  if (cell.cell == nullptr) return {};
  const std::string_view title = grid.styles[cell.style].title;
  const OutReason* out = cell.cell->out;
  if (out == nullptr) return {true, std::string(title)};
  return {false, out->text.empty() || out->text == title ? std::string(title)
                                                         : fmt::format("{}: {}", title, out->text)};
}

std::string Says(const CellState* state) {
  return state == nullptr || state->says.empty() ? "not there" : state->says;
}

std::optional<ChangeKind> KindOf(const CellState* before, const CellState* after) {
  const bool was = before != nullptr && before->in;
  const bool is = after != nullptr && after->in;
  if (was != is) return is ? ChangeKind::kAdded : ChangeKind::kRemoved;
  if (is && before->says != after->says) return ChangeKind::kChanged;
  return std::nullopt;
}

const CellState* FindCell(const RowState* row, const Key& values) {
  if (row == nullptr) return nullptr;
  const auto found = row->cells.find(values);
  return found == row->cells.end() ? nullptr : &found->second;
}

// Values of axes as people read them, the first axis of the set in front.
std::string Written(const Key& values) {
  return fmt::format("{}", fmt::join(values.rbegin(), values.rend(), " "));
}

void CompareRows(const RowState* before, const RowState* after,
                 std::vector<MatrixChange>& changes) {
  const RowState& named = after != nullptr ? *after : *before;
  std::vector<MatrixChange> found;
  const auto add = [&](const Key& values) {
    const CellState* was = FindCell(before, values);
    const CellState* is = FindCell(after, values);
    const auto kind = KindOf(was, is);
    if (!kind) return;
    const std::string from = Says(was), to = Says(is);
    const auto same = std::ranges::find_if(found, [&](const MatrixChange& one) {
      return one.kind == *kind && one.before == from && one.after == to;
    });
    if (same != found.end()) {
      same->values.push_back(Written(values));
    } else {
      found.push_back({*kind, named.name, {Written(values)}, from, to});
    }
  };
  if (after != nullptr) {
    for (const auto& [values, state] : after->cells) add(values);
  }
  if (before != nullptr) {
    for (const auto& [values, state] : before->cells) {
      if (FindCell(after, values) == nullptr) add(values);
    }
  }
  if (before != nullptr && after != nullptr) {
    for (const auto& [name, value] : after->facts) {
      const auto was = before->facts.find(name);
      if (was == before->facts.end() || was->second == value) continue;
      const auto said = [&](const std::string& text) {
        return fmt::format("{}: {}", name, text.empty() ? "none" : text);
      };
      found.push_back({ChangeKind::kChanged, named.name, {}, said(was->second), said(value)});
    }
  }
  std::ranges::move(found, std::back_inserter(changes));
}

}  // namespace

std::string_view NameOf(ChangeKind kind) {
  return kind == ChangeKind::kAdded     ? "added"
         : kind == ChangeKind::kRemoved ? "removed"
                                        : "changed";
}

std::vector<std::string> KeyOf(const Grid& grid, const GridRow& row) {
  Key key{grid.name};
  for (const AxisValue* value : row.part->values) key.emplace_back(value->key);
  const AxisValue* value = row.part->ValueOf(*row.branch);
  if (value != nullptr) key.emplace_back(value->key);
  return key;
}

MatrixState::MatrixState(const std::vector<Grid>& grids) {
  for (const Grid& grid : grids) {
    const ViewSchema& view = grid.set->schema->view;
    for (const GridRow& row : grid.rows) {
      RowState state;
      const std::string where = WhereOf(*row.part);
      state.name =
          fmt::format("{}: {}{}{}", grid.name, NameOf(row), where.empty() ? "" : ", ", where);
      for (std::size_t i = 0; i < std::min(view.rows.size(), row.branch->shown.size()); ++i) {
        state.facts.emplace(view.rows[i].name, row.branch->shown[i]);
      }
      for (std::size_t i = 0; i < row.cells.size(); ++i) {
        if (row.cells[i].cell == nullptr) continue;
        state.cells.emplace(ValuesOf(grid.columns[i]), StateOf(grid, row.cells[i]));
      }
      at_.emplace(KeyOf(grid, row), rows_.size());
      rows_.emplace_back(KeyOf(grid, row), std::move(state));
    }
  }
}

const RowState* MatrixState::Find(const std::vector<std::string>& key) const {
  const auto found = at_.find(key);
  return found == at_.end() ? nullptr : &rows_[found->second].second;
}

std::vector<MatrixChange> Compare(const MatrixState& before, const MatrixState& after) {
  std::vector<MatrixChange> changes;
  for (const auto& [key, row] : after.rows()) CompareRows(before.Find(key), &row, changes);
  for (const auto& [key, row] : before.rows()) {
    if (after.Find(key) == nullptr) CompareRows(&row, nullptr, changes);
  }
  return changes;
}

std::optional<CellChange> ChangeOf(const MatrixState& before, const Grid& grid, const GridRow& row,
                                   std::size_t column) {
  const CellState is = StateOf(grid, row.cells[column]);
  const CellState* was = FindCell(before.Find(KeyOf(grid, row)), ValuesOf(grid.columns[column]));
  const auto kind = KindOf(was, &is);
  if (!kind) return std::nullopt;
  return CellChange{*kind, Says(was)};
}

}  // namespace wheelwright
