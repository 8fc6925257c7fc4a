// plan.json: the matrix compiled for `wheelrun`, which reads no YAML. It stands among the generated
// files and is reviewed with them: a row of the matrix is one line.
//
//   generated_by, format
//   settings, platforms, tiers, families, target_groups, triggers, labels, paths, test_types,
//   tests, torch, projects, torch_sources, torch_features, rocm_preloads, test_levels, test_skips,
//   hip_known_failures, release_types, indexes, mirror, dependencies, domains, promotion,
//   artifact_buckets
//            the tables with every column present; `source` of a torch ref is the name of a torch
//            source
//   limits   name -> number
//   combos   by set:
//     rows   by combo: python, torch, release_types, tests, and the columns that includes added
//     builds what is built, in the order of the matrix: platform, gfx (its name), key, families,
//     tier,
//            runners (by family; those that have one), promotes ("tests", "bypass" or "never"),
//            combos. A combo that is not as in `rows` for this build stands in `differing`.
//     out    what is not: platform, gfx, key, combos ("all" or a list), kind ("no_row",
//     "known_failure",
//            "grouped", "excluded"), why, issue ("" or a link)
#pragma once

#include <string>
#include <string_view>

#include "generator/matrix/cells.h"
#include "generator/matrix/load.h"

namespace wheelwright {

// The first key's value, by which the generator knows a plan as its own.
inline constexpr std::string_view kPlanMark =
    "wheelwright generate, from matrix/. Do not edit: change that, then run it again.";

// The version of the layout. A reader refuses another one.
inline constexpr std::size_t kPlanFormat = 1;

std::string MakePlan(const Matrix& matrix, const Cells& cells);

}  // namespace wheelwright
