// What a dry run of `wheelrun hip compile` prints.
#pragma once

#include "runtime/hip/compile/compile_pairs.h"
#include "runtime/host/environment/host.h"

namespace wheelwright {

// Prints what is called, a command a line, with objects that have the names of what they are made
// from: those of a run lie in a folder that goes with it. The compiles of headers that sources
// share are told of and not printed: they give the same code, and whether they work out is seen
// then.
void PrintCompileCommands(const CompileSettings& settings, const PairCompiler& compiler,
                          Host& host);

}  // namespace wheelwright
