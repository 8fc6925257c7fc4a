// The environment of Microsoft's compiler. vcvarsall.bat makes it and changes nothing but the shell
// that it runs in, so its variables are read out of that shell.
#pragma once

#include <string>
#include <string_view>

#include "runtime/host/programs/runner.h"

namespace wheelwright {

// What `set` prints, and in front of it whatever the script says. Names differ in case as Windows
// likes: of PATH and Path there is one.
Variables ParseSet(std::string_view output);

// Takes the environment over, for x64, unless this process has one already. False: Visual Studio is
// not there or its script failed, which was said.
bool EnterMsvcEnvironment(Runner& runner);

}  // namespace wheelwright
