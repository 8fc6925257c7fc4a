// The computed columns of cells.
#pragma once

#include "generator/matrix/cells.h"
#include "generator/matrix/schema.h"

namespace wheelwright {

// Fills in `id` of every cell of a set, `node` and `view` of those that are in. An expression is
// computed once for all cells that agree in what it reads, and cells that are alike share their
// node.
void ComputeColumns(CellSet& set, Cells& cells, const Schema& schema, const Scope* tables,
                    SchemaContext context);

}  // namespace wheelwright
