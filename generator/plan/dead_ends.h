// Dead ends: wheels that are built for a release and that no event promotes, so that they stay in
// staging for good.
#pragma once

#include "base/diagnostic.h"
#include "generator/matrix/cells.h"
#include "generator/matrix/load.h"

namespace wheelwright {

// Warns of each, at the row that would mend it. Code: dead-end.
void ReportDeadEnds(const Matrix& matrix, const Cells& cells, Diagnostics& diagnostics);

}  // namespace wheelwright
