// Checks of sets whose cells are known.
#pragma once

#include <string_view>

#include "generator/matrix/cells.h"
#include "generator/matrix/schema.h"

namespace wheelwright {

// The ids of the cells of a branch differ, and every value that a set lists is in one.
// Codes: duplicate-combo, unused-axis-value.
void CheckCells(const CellSet& set, const Schema& schema, Diagnostics& diagnostics);

// A row of the table of an axis that no cell has. Code: unused-row.
void ReportUnusedRow(const AxisSchema& axis, std::string_view cells, const Node& key,
                     Diagnostics& diagnostics);

}  // namespace wheelwright
