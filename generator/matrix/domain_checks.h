// What can be wrong with trust domains, beyond the form of their rows.
#pragma once

#include "base/diagnostic.h"

namespace wheelwright {

struct Matrix;

// Every domain holds something, nothing is in two domains, and what a release type writes to is in
// the domain that it names: otherwise nobody would guard it. A runner of two domains is ephemeral:
// otherwise what a job of one leaves on the machine is there for a job of the other.
void CheckDomains(const Matrix& matrix, Diagnostics& diagnostics);

}  // namespace wheelwright
