// A set as a table: a row for a branch, a column for each choice of values of the other axes.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "base/source.h"
#include "generator/matrix/cells.h"
#include "generator/plan/report.h"

namespace wheelwright {

// How a cell is drawn: by its state when it is in, by why it is out, or not at all.
struct CellStyle {
  char letter;             // its class in the page
  std::string_view title;  // "promoted when its tests pass"
  std::string_view sign;   // in Markdown

  friend bool operator==(const CellStyle&, const CellStyle&) = default;
};

// Of all cells of a kind of set, those that are in first. The last is of no cell.
std::vector<CellStyle> StylesOf(const SetSchema& kind);

struct GridCell {
  std::size_t style = 0;       // of Grid::styles
  const Cell* cell = nullptr;  // null: its values are not combined
};

struct GridRow {
  const PlanPart* part = nullptr;
  const CellBranch* branch = nullptr;
  std::string_view mend;        // of a dead end
  std::vector<GridCell> cells;  // by column
};

struct GridColumn {
  std::vector<std::string_view> values;  // by axis, the last axis of the set first
};

struct Grid {
  const CellSet* set = nullptr;
  std::string name;               // "release"; where there are several kinds, with that
  std::vector<std::size_t> axes;  // of the columns: positions in Schema::axes
  std::vector<CellStyle> styles;
  std::vector<GridColumn> columns;  // by the first of their values, then by the next
  std::vector<GridRow> rows;        // by value of the last nested axis, then by the others

  bool IsIn(const GridCell& cell) const {
    return cell.cell != nullptr && cell.cell->out == nullptr;
  }
  // "3.12", or "gcc debug" of several axes: the values of a column but the first.
  std::string Rest(const GridColumn& column) const;
};

// A grid for each set of the report, with the branches that the report shows.
std::vector<Grid> MakeGrids(const PlanReport& report, const Schema& schema);

// Appends a value unless it is there.
template <typename Value>
void AddOnce(std::vector<Value>& values, const Value& value) {
  if (std::find(values.begin(), values.end(), value) == values.end()) values.push_back(value);
}

// The title of a value for people, "Linux": the text of its column `title`, else its key.
std::string_view TitleOf(const AxisValue& value);

// The titles of what the rows of a part have in common: "Linux".
std::string WhereOf(const PlanPart& part);

// What a row is called: its value, or the name of the set.
std::string_view NameOf(const GridRow& row);

}  // namespace wheelwright
