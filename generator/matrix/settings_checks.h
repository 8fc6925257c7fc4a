// What can be wrong with the settings, beyond the form of their rows.
#pragma once

#include "base/diagnostic.h"

namespace wheelwright {

struct Matrix;

// Jobs have one way to get their programs, a release or a build of the sources, and the release has
// them for Linux.
void CheckSettings(const Matrix& matrix, Diagnostics& diagnostics);

}  // namespace wheelwright
