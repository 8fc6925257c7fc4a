// What can be wrong with the tests that are left out, beyond the form of their rows.
#pragma once

#include "base/diagnostic.h"

namespace wheelwright {

struct Matrix;

// Each file that a row of test_skips names is run by some level: a slip in its name would leave
// nothing out.
void CheckTestSkips(const Matrix& matrix, Diagnostics& diagnostics);

}  // namespace wheelwright
