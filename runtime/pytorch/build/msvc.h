// The environment of Microsoft's compiler: runs vcvarsall.bat in a shell and reads that shell's
// variables.
#pragma once

#include <string>
#include <string_view>

#include "runtime/host/programs/runner.h"

namespace wheelwright {

// Parses the output of `set`, after the script's own output. Names ignore case: PATH and Path are
// one variable.
Variables ParseSet(std::string_view output);

// Sets the variables for x64 unless this process already has them. When Visual Studio is missing or
// its script fails, logs an error and returns false.
bool EnterMsvcEnvironment(Runner& runner);

}  // namespace wheelwright
