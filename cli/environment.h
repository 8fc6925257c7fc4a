// Everything outside of a command that it uses: files, three streams, facts about the terminal.
// Tests make their own and see what a command reads and writes.
#pragma once

#include <cstddef>
#include <iosfwd>
#include <optional>
#include <string>

#include "base/file_system.h"

namespace wheelwright {

struct Environment {
  FileSystem& files;
  std::istream& in;
  std::ostream& out;   // results
  std::ostream& err;   // what is wrong, and what was done
  std::string folder;  // the current one, absolute
  bool out_is_terminal = false;
  bool err_is_terminal = false;
  // From ColorsAskedFor() of cli/terminal.h. Nothing: colours on a terminal.
  std::optional<bool> colors = std::nullopt;
  // Characters in a line of the terminal that `out` is, from ColumnsOf() of cli/terminal.h. 0:
  // lines may have any length.
  std::size_t columns = 0;
};

// Exit statuses.
inline constexpr int kSuccess = 0;
inline constexpr int kFound = 1;          // a check found something, or a step failed
inline constexpr int kWrongInput = 2;     // the input or the command line is wrong
inline constexpr int kInternalError = 3;  // a bug in this program

}  // namespace wheelwright
