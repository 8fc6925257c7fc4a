// Makes one set of cells.
#pragma once

#include "generator/matrix/axis_values.h"
#include "generator/matrix/cells.h"

namespace wheelwright {

// `row` is that of the table of sets. What its includes and excludes say is done; the columns of
// cells are not computed yet. All sets together make at most kMostCells, counting those that are
// left out and those of includes; where they become too many that is reported, and no more are
// made.
CellSet MakeCellSet(const SetSchema& schema, const Entry& row, const Schema& all,
                    AxisValues& values, Cells& cells, SchemaContext context);

}  // namespace wheelwright
