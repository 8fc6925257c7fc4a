// Programs by their names, as Windows has them. For files NAME_windows.cpp alone.
#pragma once

#include <string>
#include <string_view>

#include "base/platform/child_process.h"

namespace wheelwright {

// Of cmd.exe, which reads arguments by rules of its own.
bool IsBatchFile(std::string_view path);
// Its path.
std::string CommandShell(const Variables& variables);

}  // namespace wheelwright
