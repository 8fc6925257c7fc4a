// What can be wrong with the labels of triggers, beyond the form of their rows.
#pragma once

#include "base/diagnostic.h"

namespace wheelwright {

struct Matrix;

// A label of a trigger adds families to the PyTorch jobs of its workflows, and the row of `labels`
// that takes it decides what it does. Reports labels that no row takes, or whose row does something
// else: the jobs would be there, and no label would start them.
void CheckTriggerLabels(const Matrix& matrix, Diagnostics& diagnostics);

}  // namespace wheelwright
