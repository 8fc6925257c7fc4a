// Errors in the output of compilers, linkers and other build tools.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace wheelwright {

struct ToolError {
  std::string message;  // "static assertion failed: is_floating_point<__half>"
  std::string file;     // as the tool wrote it; "": none
  std::size_t line = 0;
  std::size_t column = 0;
  // A few lines of the output that show or explain it.
  std::vector<std::string> lines;
};

// Moves ":LINE" or ":LINE:COLUMN" from the end of `place` into `error`; the file name is left.
void TakePosition(std::string_view& place, ToolError& error);

// Reads a line that reports an error, in the format of GCC and clang ("a.hip:1:2: error: x",
// "clang: error: x", "fatal error: x") or of MSVC ("a.cpp(1,2): error C1: x"). Nothing for other
// lines. A program's name before the message is not taken for a file.
std::optional<ToolError> ReadErrorLine(std::string_view line);

// The text without terminal escape sequences.
std::string WithoutColors(std::string_view text);

}  // namespace wheelwright
