// Finds the error that made a long build fail: the first real one, which thousands of lines of
// parallel jobs may follow.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/host/programs/tool_error.h"

namespace wheelwright {

// Fed with output in pieces; keeps no more of it than it shows.
class FailureScan {
 public:
  void Feed(std::string_view piece);

  // The first error of the strongest kind: one of a compiler, then of a linker, of CMake, of Python
  // (the last one: its message closes a trace), and at last any line that calls itself an error.
  std::optional<ToolError> Found() const;
  // The last line that is not blank, without colours; "" when there was none.
  const std::string& last_line() const { return last_line_; }
  // The last lines, for when nothing was found.
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
