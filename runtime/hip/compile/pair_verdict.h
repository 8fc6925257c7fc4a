// Decides the status of a pair from the outcome of its compile and the failures that are known.
#pragma once

#include "runtime/hip/compile/compile_cache.h"
#include "runtime/hip/compile/compile_pair.h"

namespace wheelwright {

// Sets the status of the pair, its errors, its object and what the compile took. A known failure
// excuses errors and crashes for a GPU; never hangs, exceeded memory or host objects.
void Judge(const CompileSettings& settings, const CompileOutcome& outcome, Pair& pair);

}  // namespace wheelwright
