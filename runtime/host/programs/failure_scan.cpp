#include "runtime/host/programs/failure_scan.h"

#include <algorithm>
#include <initializer_list>
#include <utility>

#include "base/characters.h"
#include "base/text.h"

namespace wheelwright {
namespace {

constexpr std::size_t kTailLines = 20;
constexpr std::size_t kExplainingLines = 6;
constexpr std::size_t kLongestLine = 2000;  // longer lines, such as command lines, are cut

constexpr std::size_t Index(auto kind) { return static_cast<std::size_t>(kind); }

// The text behind the first of `words` that it contains.
std::optional<std::string_view> Behind(std::string_view text,
                                       std::initializer_list<std::string_view> words) {
  for (const std::string_view word : words) {
    const std::size_t at = text.find(word);
    if (at != std::string_view::npos) return text.substr(at + word.size());
  }
  return std::nullopt;
}

// "ValueError: bad", "subprocess.CalledProcessError: ...".
bool IsPythonError(std::string_view line) {
  if (line.empty() || !IsLetter(line.front())) return false;
  const std::string_view name = line.substr(0, line.find(':'));
  if (name.find(' ') != std::string_view::npos) return false;
  return name.ends_with("Error") || name.ends_with("Exception") || name.ends_with("Exit") ||
         name.ends_with("Interrupt");
}

}  // namespace

void FailureScan::Feed(std::string_view piece) {
  while (!piece.empty()) {
    const std::size_t end = piece.find_first_of("\n\r");
    // A line without an end must not fill the memory.
    if (partial_.size() < kLongestLine) {
      partial_.append(piece.substr(0, std::min(end, kLongestLine)));
    }
    if (end == std::string_view::npos) return;
    Line(std::exchange(partial_, {}));
    piece.remove_prefix(end + 1);
  }
}

void FailureScan::Line(std::string_view raw) {
  const std::string line = WithoutColors(raw);
  const std::string_view text = Trim(line);
  if (text.empty()) return;
  last_line_ = text;
  if (tail_.size() < kTailLines) {
    tail_.push_back(line);
  } else {
    tail_[tail_at_] = line;
    tail_at_ = (tail_at_ + 1) % kTailLines;
  }

  // A compiler's message has a line number; messages without are of a driver or linker.
  if (std::optional<ToolError> error = ReadErrorLine(line);
      error && error->line > 0 && !error->file.empty()) {
    error->lines = {line};
    Keep(Kind::kCompiler, *std::move(error), false);
    return;
  }
  const auto other = [&](Kind kind, std::string_view message, bool replace = false) {
    Keep(kind, {.message = std::string(Trim(message)), .lines = {line}}, replace);
  };
  if (const auto linker = Behind(line, {"ld.lld: error: ", "ld: error: ", "lld-link: error: ",
                                        "LINK : fatal error ", ": undefined reference to "})) {
    const bool undefined = line.find("undefined reference") != std::string::npos;
    return other(Kind::kLinker, undefined ? text : *linker);
  }
  if (text.starts_with("CMake Error")) return other(Kind::kCmake, text);
  if (text.starts_with("Traceback (most recent call last)")) {
    in_traceback_ = true;
    explaining_.reset();
    return;
  }
  if (in_traceback_ && IsPythonError(line)) {
    in_traceback_ = false;
    return other(Kind::kPython, text, true);
  }
  if (text.starts_with("error: ") || text.starts_with("ERROR: ") || text.starts_with("fatal: ") ||
      text.starts_with("ninja: error: ")) {
    return other(Kind::kOther, text);
  }
  if (explaining_) {
    std::vector<std::string>& lines = found_[Index(*explaining_)]->lines;
    // The next job of ninja begins: "[12/345]".
    if (lines.size() >= kExplainingLines || text.starts_with('[') || text.starts_with("FAILED")) {
      explaining_.reset();
    } else {
      lines.push_back(line);
    }
  }
}

void FailureScan::Keep(Kind kind, ToolError failure, bool replace) {
  std::optional<ToolError>& slot = found_[Index(kind)];
  explaining_.reset();
  if (slot && !replace) return;
  slot = std::move(failure);
  explaining_ = kind;
}

std::optional<ToolError> FailureScan::Found() const {
  for (const std::optional<ToolError>& failure : found_) {
    if (failure) return failure;
  }
  return std::nullopt;
}

std::vector<std::string> FailureScan::Tail() const {
  std::vector<std::string> lines(tail_.begin() + static_cast<std::ptrdiff_t>(tail_at_),
                                 tail_.end());
  lines.insert(lines.end(), tail_.begin(), tail_.begin() + static_cast<std::ptrdiff_t>(tail_at_));
  return lines;
}

}  // namespace wheelwright
