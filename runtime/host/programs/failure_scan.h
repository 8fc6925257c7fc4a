// Finds the error that made a long build fail. Thousands of lines of parallel jobs may follow it.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/host/programs/tool_error.h"

namespace wheelwright {

// Takes the output in pieces and keeps only the lines that it shows.
class FailureScan {
 public:
  void Feed(std::string_view piece);

  // The first error of a compiler, else of a linker, else of CMake; else the last one of Python,
  // whose message ends a traceback; else any line that says "error".
  std::optional<ToolError> Found() const;
  // The last line that is not blank, without colours; "" when there was none.
  const std::string& last_line() const { return last_line_; }
  // The last lines of the output, to show when no error was found.
  std::vector<std::string> Tail() const;

 private:
  enum class Kind : std::size_t { kCompiler, kLinker, kCmake, kPython, kOther, kCount };

  void Line(std::string_view line);
  void Keep(Kind kind, ToolError failure, bool replace);

  std::string partial_;
  std::string last_line_;
  std::vector<std::string> tail_;  // a ring
  std::size_t tail_at_ = 0;
  std::optional<ToolError> found_[static_cast<std::size_t>(Kind::kCount)];
  std::optional<Kind> explaining_;  // whose explanation the next lines are
  bool in_traceback_ = false;
};

}  // namespace wheelwright
