// `axes` and `sets` of matrix/schema.yml: which rows and values are combined, and what templates
// see of the cells. docs/schema-language.md describes them.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>
#include <vector>

#include "generator/matrix/computed_column.h"
#include "generator/yaml/node.h"

namespace wheelwright {

// How a column of a group is made of those of its members, where they differ.
enum class Merge : std::uint8_t {
  kUnion,   // of lists: all items, each once
  kAll,     // of flags: true when it is true for all
  kAny,     // true when it is true for one
  kCommon,  // nothing: an empty list or mapping, else null
  kFirst,   // the one that stands first in a table
};

struct MergeRule {
  std::string_view column;
  Merge how = Merge::kCommon;
  std::string_view table;  // of kFirst
};

// Rows of a table that stand for several values of an axis in one.
struct GroupSchema {
  std::string_view table;    // empty: there are none
  std::string_view members;  // the column that lists the values
  // The axes on which this one depends, each with the column that lists where the group is.
  std::vector<std::pair<std::string_view, std::string_view>> there;
  std::vector<MergeRule> merge;
  bool removable = false;  // an exclude that names a member takes it alone out of the group's cells
};

struct AxisSchema {
  std::string_view name;
  const Node* key = nullptr;    // its name in the schema
  std::string_view noun;        // what messages and headings call a value: "host"
  std::string_view table;       // its values are rows of it; empty: they are texts
  std::string_view key_column;  // of those rows, as templates see the key
  // Where the row of a set lists the values: "hosts.{host}.compilers". Empty: all rows.
  std::string_view values;
  std::string_view row;    // the column of the table's row that is used, "{platform}"; empty: all
  std::string_view alias;  // a column whose text names the row in rules too
  std::string_view list;   // what templates call its values in the row of the axis before
  std::string_view back;   // and, in rows of its table, the keys of that axis where it is
  std::string_view out;  // a column that takes the row out: a link, a text, true, or `why`, `issue`
  std::string_view out_text;       // the reason that is given
  bool all_used = false;           // a row of the table that no cell has is an error
  std::vector<std::size_t> outer;  // the axes in {} of the paths: positions in Schema::axes
  std::optional<SchemaExpression> id, label;
  std::optional<SchemaExpression> brief;    // what tables show of a value; nothing: its key
  bool ranges = false;                      // tables show versions in a row as a range
  std::vector<ComputedColumn> row_columns;  // of each row
  std::vector<ComputedColumn> columns;      // of each value: a row, or a group of them
  GroupSchema groups;
};

// Which rows of a table take cells, beside those that a set says.
struct TakerSchema {
  std::string_view table;         // empty: there are none
  std::string_view noun, plural;  // "release type"
  std::string_view chosen;        // the set's column with their keys; null there: all
  std::string_view exclude;       // their own column with excludes
};

// How `plan` and the pictures show a cell that is in. The first state that fits counts.
struct StateSchema {
  std::optional<SchemaExpression> when;  // nothing: always
  std::optional<SchemaExpression> says;  // "when tests pass"
  std::optional<SchemaExpression> mend;  // what would mend a dead end
  std::string_view title;                // "promoted when its tests pass"
  std::string_view sign;                 // one character
  bool dead_end = false;
};

struct ViewSchema {
  std::string_view heading;               // over what states say
  std::vector<ComputedColumn> columns;    // in front of that
  std::vector<StateSchema> states;        // one at least
  std::vector<ComputedColumn> rows;       // of pictures, for each branch
  std::vector<std::string_view> filters;  // those of them by which a page is filtered
  std::vector<std::string_view> explain;  // tables whose texts a page lists
};

struct SetSchema {
  std::string_view name;
  const Node* key = nullptr;
  std::string_view noun, plural;  // "combo", "combos"
  std::string_view table;         // whose rows are the sets
  std::string_view seen_as;       // the name that templates use
  std::vector<std::size_t> axes;  // positions in Schema::axes, in the order of the cells
  std::size_t nested = 0;         // so many of them are rows in rows; the others make a cell
  std::string_view cells;         // what templates call the list of cells
  std::optional<SchemaExpression> id, label;
  std::vector<ComputedColumn> columns;
  std::vector<Entry> defaults;  // columns that includes may change, and what they are otherwise
  TakerSchema takers;
  ViewSchema view;
};

// The names that expressions of a set can use beside those of axes and tables.
//   names, ids, labels   by axis: as the set writes the value; what the axis makes of it
//   added                the columns that includes may change, and those that they added
//   takers               the keys of the rows that take the cell
//   set                  the set's row, with its `name`
//   cell                 in `view`: the cell as templates see it
inline constexpr std::string_view kCellNames[] = {"names", "ids",    "labels",
                                                  "added", "takers", "set"};
// Those of an axis, beside those of the axes on which it depends.
//   key     of the row, or the text
//   row     of `rows`, `id` and `label`: the row that is used, with its computed columns
//   of      of `rows`: the whole row of the table
//   members of `columns`, `id` and `label`: a list of rows, of which a group has several
//   group   the same: the key of the group, or null
inline constexpr std::string_view kAxisNames[] = {"key", "row", "of", "members", "group"};

// The values that stand for `{axis}` in paths.
using AxisKey = std::function<std::string_view(std::string_view axis)>;
// The node at a path such as "hosts.{host}.compilers", or null.
const Node* FollowPath(const Node* from, std::string_view path, const AxisKey& key);

}  // namespace wheelwright
