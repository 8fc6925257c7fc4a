// How the cells of a matrix differ from those of an earlier state of it.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "generator/graph/matrix_grid.h"

namespace wheelwright {

// What a matrix made of each choice of values, in its own texts.
class MatrixState {
 public:
  struct CellState {
    bool in = false;
    std::string says;  // "promoted when its tests pass", "excluded: not built"
  };
  struct RowState {
    std::string name;                                       // "ci: debug, Linux"
    std::map<std::string, std::string, std::less<>> facts;  // its columns: test_runner
    std::map<std::vector<std::string>, CellState> cells;    // by the values of their column
  };

  MatrixState() = default;
  explicit MatrixState(const std::vector<Grid>& grids);

  // By set and values of the row; in the order of the grids.
  const std::vector<std::pair<std::vector<std::string>, RowState>>& rows() const { return rows_; }
  const RowState* Find(const std::vector<std::string>& key) const;

 private:
  std::vector<std::pair<std::vector<std::string>, RowState>> rows_;
  std::map<std::vector<std::string>, std::size_t> at_;  // in rows_
};

enum class ChangeKind : std::uint8_t { kAdded, kRemoved, kChanged };

// "added".
std::string_view NameOf(ChangeKind kind);

// Cells of a row with one change, or a changed column of the row.
struct MatrixChange {
  ChangeKind kind = ChangeKind::kChanged;
  std::string row;                  // "ci: debug, Linux"
  std::vector<std::string> values;  // of the cells: "gcc-14 release"; none: the row itself
  std::string before, after;        // "" where there is nothing
};

// All changes, row by row; rows that are gone last. What was left out and still is, for whatever
// reason, is no change.
std::vector<MatrixChange> Compare(const MatrixState& before, const MatrixState& after);

// The key of a row in MatrixState.
std::vector<std::string> KeyOf(const Grid& grid, const GridRow& row);

// How one cell differs; nothing when it does not.
struct CellChange {
  ChangeKind kind;
  std::string before;  // "not there"
};
std::optional<CellChange> ChangeOf(const MatrixState& before, const Grid& grid, const GridRow& row,
                                   std::size_t column);

}  // namespace wheelwright
