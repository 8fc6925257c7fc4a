// What can be wrong with the indexes that the matrix names, beyond the form of their rows.
#pragma once

#include "base/diagnostic.h"

namespace wheelwright {

struct Matrix;

// Each name means one index, and no index of dependencies takes from elsewhere what is built here:
// an installer that is given both could pick the wrong one.
void CheckIndexes(const Matrix& matrix, Diagnostics& diagnostics);

}  // namespace wheelwright
