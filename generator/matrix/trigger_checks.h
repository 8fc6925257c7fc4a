// Which families triggers and labels name.
#pragma once

#include "base/diagnostic.h"
#include "generator/matrix/load.h"

namespace wheelwright {

// Codes: known-failure-selected, family-not-built.
void CheckTriggers(const Matrix& matrix, Diagnostics& diagnostics);

}  // namespace wheelwright
