// What can be wrong with the rules of combos, and how it is said.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>

#include "base/diagnostic.h"
#include "generator/matrix/axis_rule.h"
#include "generator/matrix/combos.h"

namespace wheelwright {

struct Matrix;

// The entry of gfx_groups that builds a family on a platform, or null.
const Entry* FindGroup(const Matrix& matrix, std::string_view platform, std::string_view family);

// Every member of a group has a row on the group's platforms, can build PyTorch there, and is in no
// other group of the platform.
void CheckGroups(const Matrix& matrix, Diagnostics& diagnostics);

// More than any run could hold, and not too many to be listed: axes multiply, so a matrix of a few
// kilobytes could ask for more than there is memory.
inline constexpr std::size_t kMostCombos = 1'000'000;

// All sets together make at most so many combos, counting those that are left out and those of
// includes. False: they do not, which is reported where they become too many.
bool CheckSizes(const Matrix& matrix, Diagnostics& diagnostics);

// Names of combos differ, and no row of the matrix is without effect: families, torch refs, values
// of axes.
void CheckCombos(const Matrix& matrix, const Combos& combos, Diagnostics& diagnostics);

// Whether an include's column would hide one that every combo has; reports it.
bool IsReservedColumn(const Entry& column, Diagnostics& diagnostics);

// `owner` says whose rule it is: "set 'release'".
// `before` is what took out a combo that the rule is about, or null when it is about none.
void ReportUnusedExclude(const Node& row, std::string_view owner, const OutReason* before,
                         Diagnostics& diagnostics);
void ReportUnusedInclude(const AxisRule& rule, std::string_view owner, Diagnostics& diagnostics);
void ReportIncompleteInclude(const AxisRule& rule, std::string_view owner,
                             std::span<const ComboPlatform> platforms, Diagnostics& diagnostics);
// `build` is what answers to the name and is not built, or null.
void ReportIncludedBuild(const Node& gfx, const ComboPlatform& platform, const GfxBuild* build,
                         Diagnostics& diagnostics);
void ReportCombosTwice(const AxisRule& rule, const Node& first, Diagnostics& diagnostics);
void ReportTooManyReleaseTypes(const Node& release_types, Diagnostics& diagnostics);

}  // namespace wheelwright
