// Finding, in the output of a long build, the error that made it fail: the first real one, which
// thousands of lines of other jobs that ran beside it stand below.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace wheelwright {

struct BuildFailure {
  std::string message;  // "static assertion failed: is_floating_point<__half>"
  std::string file;     // as the tool wrote it; "": it named none
  std::size_t line = 0;
  std::size_t column = 0;
  // The line of the error and those that explain it, a few.
  std::vector<std::string> lines;
};

// Fed with output in pieces; keeps no more of it than it shows.
class FailureScan {
 public:
  void Feed(std::string_view piece);

  // The first error of the strongest kind: one of a compiler, then of a linker, of CMake, of Python
  // (the last one: its message closes a trace), and at last any line that calls itself an error.
  std::optional<BuildFailure> Found() const;
  // The last line that says something, without colours; "" when there was none.
  const std::string& last_line() const { return last_line_; }
  // The last lines, for when nothing was found.
  std::vector<std::string> Tail() const;

 private:
  enum class Kind : std::size_t { kCompiler, kLinker, kCmake, kPython, kOther, kCount };

  void Line(std::string_view line);
  static std::optional<BuildFailure> ReadCompilerError(std::string_view line);
  void Keep(Kind kind, BuildFailure failure, bool replace);

  std::string partial_;
  std::string last_line_;
  std::vector<std::string> tail_;  // a ring
  std::size_t tail_at_ = 0;
  std::optional<BuildFailure> found_[static_cast<std::size_t>(Kind::kCount)];
  std::optional<Kind> explaining_;  // whose explanation the next lines are
  bool in_traceback_ = false;
};

// The text without the sequences by which programs colour it and move the cursor.
std::string WithoutColors(std::string_view text);

}  // namespace wheelwright
