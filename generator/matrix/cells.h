// The cells of every set: what its axes combine, in or out, and why. (Longer than other headers:
// these types describe one thing.)
//
// `include` and `exclude` have the meaning that GitHub gives them in strategy.matrix
// (https://docs.github.com/actions/how-tos/write-workflows/choose-what-workflows-do/run-job-variations):
// excludes come first and a partial match removes; an include adds its columns to every cell that
// it does not overwrite, else it makes a new one. A list as a value means any of its items.
#pragma once

#include <cstdint>
#include <deque>
#include <span>
#include <string_view>
#include <vector>

#include "base/arena.h"
#include "base/diagnostic.h"
#include "generator/expression/scope.h"
#include "generator/matrix/set_schema.h"
#include "generator/yaml/node.h"

namespace wheelwright {

struct Matrix;

enum class OutKind : std::uint8_t {
  kItself,    // the row takes itself out
  kExcluded,  // by a row of a set
  kGrouped,   // it is in a group
  kAbsent,    // the row is not there
};

// "itself", "excluded", "grouped", "absent": what templates see.
std::string_view NameOf(OutKind kind);

// Why cells are not made. One for each row of the matrix that takes some out.
struct OutReason {
  OutKind kind = OutKind::kExcluded;
  std::string_view text;   // "no row for windows", "known failure", an exclude's `why`
  std::string_view issue;  // a link; may be empty
  SourceRange where;       // the row
};

// A row of a table that is a value of an axis, alone or in a group.
struct AxisMember {
  std::string_view key;        // of the row
  std::string_view name;       // what rules may call it too
  const Node* node = nullptr;  // what templates see
  const Node* row = nullptr;   // its own columns: all, or those of the axis' `row`
  SourceRange where;
};

// A member that an exclude took out of a group.
struct TakenMember {
  std::string_view key, name;
  const OutReason* why = nullptr;
};

struct AxisValue {
  std::size_t axis = 0;        // position in Schema::axes
  std::string_view key;        // of the row, or the text
  std::string_view name;       // what rules may call it too; else the key
  std::string_view id, label;  // its parts of those of a cell
  std::string_view brief;      // what tables show
  const Node* cell = nullptr;  // the text in the set, or the key of the row
  const Node* node = nullptr;  // what templates see: the text, or a row; null: it is not there
  SourceRange where;
  std::vector<AxisMember> members;  // the row; of a group, several; none of a text
  std::vector<TakenMember> taken;   // out of the group; see `whole`
  const Entry* group = nullptr;     // the row of the group
  const OutReason* out = nullptr;   // why no cell has it
  std::vector<std::uint32_t>
      outer;                     // of the axes on which it depends: positions in CellSet::values
  std::uint32_t whole = kWhole;  // of which members were taken out: a position likewise

  static constexpr std::uint32_t kWhole = ~std::uint32_t{0};
  bool Answers(std::string_view to) const { return key == to || name == to; }
};

// Columns that includes added to a cell.
struct ExtraColumns {
  std::uint32_t number = 0;           // from 1
  std::vector<Entry> columns;         // keys unique
  std::vector<const Node*> includes;  // the rows they are from
};

// What `plan` and the pictures show of cells that are in.
struct CellView {
  std::size_t state = 0;  // of ViewSchema::states
  std::string_view says, mend;
  std::vector<std::string_view> columns;  // by ViewSchema::columns; "" where there is nothing
};

struct Cell {
  std::span<const std::uint32_t> at;     // by axis of the set: a position in CellSet::values
  std::string_view id;                   // differs from those of other cells of its branch
  const Node* node = nullptr;            // what templates see; null: it is out. Cells may share it
  const CellView* view = nullptr;        // likewise
  const OutReason* out = nullptr;        // null: it is in
  const ExtraColumns* extras = nullptr;  // null: none
  const Node* include = nullptr;         // the include that made it; null: the product did
  std::uint64_t takers = 0;              // bit i: CellSet::takers[i] takes it
};

// The cells that share the values of all nested axes.
struct CellBranch {
  std::vector<std::uint32_t> at;   // by nested axis
  const OutReason* out = nullptr;  // why none of its cells can be in, or null
  std::vector<Cell> cells;
  std::size_t in = 0;
  std::vector<std::string_view> shown;  // by ViewSchema::rows; empty where a row is not there
};

struct CellSet {
  const SetSchema* schema = nullptr;
  std::string_view name;
  SourceRange where;
  const Node* row = nullptr;
  std::deque<AxisValue> values;          // of all axes
  std::vector<CellBranch> branches;      // in the order of the axes
  std::vector<std::string_view> takers;  // keys of all rows of the table
  std::uint64_t taken = 0;               // bit i: takers[i] takes cells of this set
  std::size_t in = 0;
  std::size_t out = 0;

  const AxisValue& Value(const CellBranch& branch, std::size_t axis) const {
    return values[branch.at[axis]];
  }
  const AxisValue& Value(const Cell& cell, std::size_t axis) const { return values[cell.at[axis]]; }
  // The keys of those that take a cell.
  std::vector<std::string_view> TakersOf(const Cell& cell) const;
};

// What templates see of an axis whose values are all rows of a table: those that are there, for one
// choice of the axes on which it depends.
struct AxisRows {
  const AxisSchema* axis = nullptr;
  std::vector<std::string_view> outer;  // keys, by AxisSchema::outer
  std::vector<const AxisMember*> there;
};

struct Cells {
  std::vector<CellSet> sets;  // by SetSchema, then by row
  std::deque<OutReason> reasons;
  std::deque<ExtraColumns> extras;
  std::deque<AxisRows> rows;
  std::deque<AxisMember> members;
  std::deque<CellView> views;
  std::size_t counted = 0;  // cells, against kMostCells

  // Of the sets of one kind, the one of that name, or null.
  const CellSet* Find(std::string_view kind, std::string_view name) const;
};

// More than any run could hold, and not too many to be listed: axes multiply, so a matrix of a few
// kilobytes could ask for more than there is memory.
inline constexpr std::size_t kMostCells = 1'000'000;

// Works out every set of a matrix that was validated and has its defaults filled in. `tables` binds
// what expressions of the schema see. Texts live in the arena, the rest points into the matrix.
// Reports rules that match nothing, rows nobody uses, and names that do not fit together.
Cells ComputeCells(const Matrix& matrix, const Scope* tables, SchemaContext context);

}  // namespace wheelwright
