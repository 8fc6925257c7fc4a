// A language server: what lint and the compiler find in the open documents of an editor.
#pragma once

#include <iosfwd>

#include "base/file_system.h"

namespace wheelwright {

// Answers messages until `exit` or the end of the input. The exit status: 0 after `shutdown`, as
// the protocol asks for, or where nothing was said; else 1.
int ServeEditor(FileSystem& files, std::istream& in, std::ostream& out);

}  // namespace wheelwright
