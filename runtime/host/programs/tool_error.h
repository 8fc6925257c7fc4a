// An error in the output of a compiler, linker or another build tool, and the reader of its lines.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace wheelwright {

struct ToolError {
  std::string message;  // "static assertion failed: is_floating_point<__half>"
  std::string file;     // as the tool wrote it; "": it named none
  std::size_t line = 0;
  std::size_t column = 0;
  // Lines of the output that show or explain it, a few.
  std::vector<std::string> lines;
};

// Takes ":LINE" or ":LINE:COLUMN" off the end of `place`. What is left is the file's name.
void TakePosition(std::string_view& place, ToolError& error);

// Reads a line that reports an error, in the format of GCC and clang ("a.hip:1:2: error: x",
// "clang: error: x", "fatal error: x") or of MSVC ("a.cpp(1,2): error C1: x"). Nothing for other
// lines. A program's name in front of the message is no file.
std::optional<ToolError> ReadErrorLine(std::string_view line);

// The text without the sequences by which programs colour it and move the cursor.
std::string WithoutColors(std::string_view text);

}  // namespace wheelwright
