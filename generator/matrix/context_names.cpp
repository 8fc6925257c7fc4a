#include <array>

#include "generator/matrix/context.h"

namespace wheelwright {
namespace {

// clang-format off
constexpr std::array kNames{
    ContextName{"TABLE", "every [table of the matrix](matrix-reference.md) by its name, those of the project's schema among them: a mapping by key or, where the reference says so, a list of rows, each with its key in a column"},
    ContextName{"actions", "pinned [actions](matrix-reference.md#actions), by key: the text `owner/name@sha`, which brings its version along as a comment"},
    ContextName{"images", "pinned [images](matrix-reference.md#images), by key: the text `image@sha256:...`"},
    ContextName{"limits", "[GitHub's limits](matrix-reference.md#limits), by name: the numbers"},
    ContextName{"SETS", "the sets of a kind in `sets` of `matrix/schema.yml`, by name, in place of their table: [a set](#a-set)"},
};

constexpr std::array kSet{
    ContextName{"name", "its key in the table"},
    ContextName{"LIST", "the values of its first nested axis that have cells: [a value of an axis](#a-value-of-an-axis); where no axis is nested, its cells instead"},
    ContextName{"out", "which of its cells are not made, and why: a list of [rows](#what-is-out)"},
};
constexpr std::array kValue{
    ContextName{"KEY", "the key of its row, in the column that the table's `key` names"},
    ContextName{"LIST", "the values of the next nested axis"},
    ContextName{"CELLS", "of the last nested axis: its [cells](#a-cell)"},
};
constexpr std::array kCell{
    ContextName{"id", "part of the ids of jobs; differs from that of other cells of its list"},
    ContextName{"label", "part of the names of jobs"},
};

constexpr std::array kOut{
    ContextName{"AXIS", "for each nested axis, by its name: the `key` of the value and its `name`, by which rules know it too"},
    ContextName{"CELLS", "the ids of the cells"},
    ContextName{"whole", "true where it is a value itself that has no cells"},
    ContextName{"members", "the members of a group that are taken out of these cells, which are made without them; else empty"},
    ContextName{"kind", "`absent`: there is no row; `itself`: the row takes itself out; `grouped`: it is in a group; `excluded`: by a rule"},
    ContextName{"why", "the reason, as the rule gives it"},
    ContextName{"issue", "a link, or \"\""},
};

constexpr std::array kRows{
    ContextRow{"a set", "`SETS.NAME`", "the other columns of its row, but `include`, `exclude` and those that list values", kSet},
    ContextRow{"a value of an axis", "an item of `LIST`, of a set or of a value of the axis before", "the computed `columns` and `rows` of the axis, and the columns of its row in the table; of a group, what the axis' `merge` makes of those", kValue},
    ContextRow{"a cell", "an item of `CELLS`", "the computed `columns` of the set, its `defaults`, and the columns that includes add", kCell},
    ContextRow{"what is out", "an item of `out` of a set, for each rule or row of the matrix that takes cells out of a value of the last nested axis", "", kOut},
};
// clang-format on

}  // namespace

std::span<const ContextName> ContextNames() { return kNames; }
std::span<const ContextRow> ContextRows() { return kRows; }

}  // namespace wheelwright
