// What the codes of messages mean, for terminals.
#pragma once

#include <string>
#include <string_view>

#include "cli/environment.h"

namespace wheelwright {

// What docs/diagnostics.md says of a code, as text in lines of the terminal's width; empty if it
// has no such code. `word` may be as in a message: "error[undeclared-output]".
std::string PageOfCode(std::string_view word, const Environment& environment);

}  // namespace wheelwright
