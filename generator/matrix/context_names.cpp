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
    ContextName{"families", "all families, a list of rows: [a family](#a-family)"},
    ContextName{"platforms", "all platforms, a list of rows: [a platform](#a-platform)"},
    ContextName{"combo_sets", "the combos that are built, by name of their set, in place of the table `combos`: [a set of combos](#a-set-of-combos)"},
    ContextName{"planned_combos", "for `plan.json`: by name of a set, what is built of it (`rows`, `builds`) and what is not, and why (`out`)"},
};

constexpr std::array kFamily{
    ContextName{"key", "what the matrix calls it: `gfx94x`"},
    ContextName{"platforms", "a list of the names of platforms that it has a row for"},
};
constexpr std::array kPlatform{
    ContextName{"name", "`linux`"},
    ContextName{"families", "a list: in `platforms` every [family on a platform](#a-family-on-a-platform) that has a row for it; in a set of combos every [gfx build](#a-gfx-build) that has combos there"},
};
constexpr std::array kMember{
    ContextName{"key", "what the matrix calls the family: `gfx94x`"},
    ContextName{"name", "its artifact group: `gfx94X-dcgpu`"},
    ContextName{"tier", "the tier of the family"},
};
constexpr std::array kSet{
    ContextName{"name", "`release`"},
    ContextName{"platforms", "a list of those that have combos in the set: [a platform](#a-platform)"},
};
constexpr std::array kBuild{
    ContextName{"key", "what the matrix calls the family, or the group of families"},
    ContextName{"name", "the artifact group of the family, or the name of the group"},
    ContextName{"title", "how jobs' names call it"},
    ContextName{"tier", "the tier of the family; of a group, that of the member that is built most often"},
    ContextName{"families", "a list of its members, mostly one: [a family on a platform](#a-family-on-a-platform)"},
    ContextName{"tests", "a list with a row for each member that has a test runner: [a test](#a-test)"},
    ContextName{"promotes", "what its wheels need to be promoted: `tests` that pass, nothing (`bypass`), or `never`"},
    ContextName{"combos", "a list of what is built for it: [a combo](#a-combo)"},
};
constexpr std::array kTest{
    ContextName{"name", "the artifact group of the member"},
    ContextName{"key", "what the matrix calls the member"},
    ContextName{"runs_on", "the label of its test runner"},
    ContextName{"suffix", "what tells the tests of a group apart in ids: `\"\"` where there is one member, else `_` and its name"},
};
constexpr std::array kCombo{
    ContextName{"id", "`py312_torch210`; part of the ids of jobs"},
    ContextName{"label", "`py 3.12 \\| torch release/2.10`; part of the names of jobs"},
    ContextName{"python", "`\"3.12\"`"},
    ContextName{"python_id", "`py312`"},
    ContextName{"torch", "the ref: `release/2.10`"},
    ContextName{"torch_id", "the `id` of the ref's row"},
    ContextName{"source", "the row of [the PyTorch ref](matrix-reference.md#a-pytorch-ref), with its `ref`"},
    ContextName{"release_types", "a list of the names of release types that publish it"},
    ContextName{"tests", "whether it is tested where there is a runner"},
    ContextName{"promotes", "as `promotes` of its build, for this combo"},
};

constexpr std::array kRows{
    ContextRow{"a platform", "an item of `platforms`, and of `combo_sets.NAME.platforms`", "the columns of [a platform](matrix-reference.md#a-platform)", kPlatform},
    ContextRow{"a family", "an item of `families`", "the columns of [a family](matrix-reference.md#a-family); a platform that it has no row for is null", kFamily},
    ContextRow{"a family on a platform", "an item of `families` of a platform in `platforms`, and of `families` of a gfx build", "the columns of [a family on one platform](matrix-reference.md#a-family-on-one-platform)", kMember},
    ContextRow{"a set of combos", "`combo_sets.NAME`", "", kSet},
    ContextRow{"a gfx build", "an item of `families` of a platform in a set of combos", "the columns of [its family on the platform](matrix-reference.md#a-family-on-one-platform); of a group, a column is the members' common value and else null, lists are joined, and a flag is true when it is true for all", kBuild},
    ContextRow{"a test", "an item of `tests` of a gfx build", "", kTest},
    ContextRow{"a combo", "an item of `combos` of a gfx build", "the columns that [includes](matrix-reference.md#an-include) add to it", kCombo},
};
// clang-format on

}  // namespace

std::span<const ContextName> ContextNames() { return kNames; }
std::span<const ContextRow> ContextRows() { return kRows; }

}  // namespace wheelwright
