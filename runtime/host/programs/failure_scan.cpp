#include "runtime/host/programs/failure_scan.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

#include "base/text.h"

namespace wheelwright {
namespace {

constexpr std::size_t kTailLines = 20;
constexpr std::size_t kExplainingLines = 6;
constexpr std::size_t kLongestLine = 2000;  // of a generated command line, the beginning is enough

constexpr std::size_t Index(auto kind) { return static_cast<std::size_t>(kind); }

// A number that is the whole text.
std::optional<std::size_t> Number(std::string_view text) {
  std::size_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || text.empty()) return std::nullopt;
  return value;
}

// What stands behind the first of the words in the text.
std::optional<std::string_view> Behind(std::string_view text,
                                       std::initializer_list<std::string_view> words) {
  for (const std::string_view word : words) {
    const std::size_t at = text.find(word);
    if (at != std::string_view::npos) return text.substr(at + word.size());
  }
  return std::nullopt;
}

// "a.hip:12:3" or "C:\a.hip:12:3", split off its numbers from behind.
bool ReadPlace(std::string_view text, BuildFailure& failure) {
  std::array<std::size_t, 2> numbers{};
  std::size_t count = 0;
  while (count < 2) {
    const std::size_t colon = text.rfind(':');
    if (colon == std::string_view::npos) break;
    const std::optional<std::size_t> number = Number(text.substr(colon + 1));
    if (!number) break;
    numbers[count++] = *number;
    text = text.substr(0, colon);
  }
  if (count == 0 || text.empty()) return false;
  failure.file = text;
  failure.line = count == 2 ? numbers[1] : numbers[0];
  failure.column = count == 2 ? numbers[0] : 0;
  return true;
}

// "a.cpp(12)" or "a.cpp(12,3)", as MSVC and clang-cl write it.
bool ReadMicrosoftPlace(std::string_view text, BuildFailure& failure) {
  text = Trim(text);
  if (!text.ends_with(')')) return false;
  const std::size_t open = text.rfind('(');
  if (open == std::string_view::npos || open == 0) return false;
  const std::string_view inside = text.substr(open + 1, text.size() - open - 2);
  const std::size_t comma = inside.find(',');
  const std::optional<std::size_t> line = Number(inside.substr(0, comma));
  if (!line) return false;
  failure.file = text.substr(0, open);
  failure.line = *line;
  if (comma != std::string_view::npos) {
    failure.column = Number(inside.substr(comma + 1)).value_or(0);
  }
  return true;
}

bool IsIdentifierStart(char c) { return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z'); }

// "ValueError: bad", "subprocess.CalledProcessError: ...".
bool IsPythonError(std::string_view line) {
  if (line.empty() || !IsIdentifierStart(line.front())) return false;
  const std::string_view name = line.substr(0, line.find(':'));
  if (name.find(' ') != std::string_view::npos) return false;
  return name.ends_with("Error") || name.ends_with("Exception") || name.ends_with("Exit") ||
         name.ends_with("Interrupt");
}

}  // namespace

std::string WithoutColors(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '\x1b') {
      out += text[i];
      continue;
    }
    // ESC [ parameters letter; of others, the next character is taken along.
    if (i + 1 < text.size() && text[i + 1] == '[') {
      i += 2;
      while (i < text.size() && (text[i] < '@' || text[i] > '~')) ++i;
    } else {
      ++i;
    }
  }
  return out;
}

void FailureScan::Feed(std::string_view piece) {
  while (!piece.empty()) {
    const std::size_t end = piece.find_first_of("\n\r");
    // A program that never ends its line must not fill the memory.
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

  if (std::optional<BuildFailure> error = ReadCompilerError(line)) {
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
    // What comes next is somebody else's: ninja prints "[12/345]" in front of each job.
    if (lines.size() >= kExplainingLines || text.starts_with('[') || text.starts_with("FAILED")) {
      explaining_.reset();
    } else {
      lines.push_back(line);
    }
  }
}

std::optional<BuildFailure> FailureScan::ReadCompilerError(std::string_view line) {
  for (const std::string_view word : {": error: ", ": fatal error: "}) {
    const std::size_t at = line.find(word);
    if (at == std::string_view::npos) continue;
    BuildFailure failure{.message = std::string(Trim(line.substr(at + word.size())))};
    const std::string_view place = Trim(line.substr(0, at));
    if (ReadPlace(place, failure) || ReadMicrosoftPlace(place, failure)) return failure;
  }
  for (const std::string_view word : {": error C", ": fatal error C", ": error : "}) {
    const std::size_t at = line.find(word);
    if (at == std::string_view::npos) continue;
    BuildFailure failure{.message = std::string(Trim(line.substr(at + 2)))};
    if (ReadMicrosoftPlace(line.substr(0, at), failure)) return failure;
  }
  return std::nullopt;
}

void FailureScan::Keep(Kind kind, BuildFailure failure, bool replace) {
  std::optional<BuildFailure>& slot = found_[Index(kind)];
  explaining_.reset();
  if (slot && !replace) return;
  slot = std::move(failure);
  explaining_ = kind;
}

std::optional<BuildFailure> FailureScan::Found() const {
  for (const std::optional<BuildFailure>& failure : found_) {
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
