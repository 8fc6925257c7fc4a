// Sets of cells that the matrix makes and that no workflow has a job for.
#pragma once

#include "base/diagnostic.h"
#include "generator/compile/compile.h"
#include "generator/matrix/acknowledged.h"

namespace wheelwright {

// Warns of them, unless their cells are taken as a whole list, which nobody can count. Code:
// unread-set.
void ReportUnreadSets(const Compilation& compilation, Acknowledgements& acknowledged,
                      Diagnostics& diagnostics);

}  // namespace wheelwright
