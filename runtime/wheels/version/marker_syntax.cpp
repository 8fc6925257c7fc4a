#include "runtime/wheels/version/marker_syntax.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <span>
#include <utility>

#include "base/characters.h"
#include "base/quote.h"
#include "base/text.h"

namespace wheelwright {
namespace {

// The last ones are older names, and those of lock files, which installers read as well.
constexpr std::array<std::string_view, 20> kVariables{"python_version",
                                                      "python_full_version",
                                                      "os_name",
                                                      "sys_platform",
                                                      "platform_release",
                                                      "platform_system",
                                                      "platform_version",
                                                      "platform_machine",
                                                      "platform_python_implementation",
                                                      "implementation_name",
                                                      "implementation_version",
                                                      "extra",
                                                      "os.name",
                                                      "sys.platform",
                                                      "platform.version",
                                                      "platform.machine",
                                                      "platform.python_implementation",
                                                      "python_implementation",
                                                      "extras",
                                                      "dependency_groups"};
constexpr std::size_t kCurrentVariables = 12;
constexpr std::array<std::string_view, 8> kComparisons{
    "===", "~=", "==", "!=", "<=", ">=", "<", ">"};

// Takes the text apart from its front; the first problem ends it.
class MarkerReader {
 public:
  explicit MarkerReader(std::string_view text) : text_(text) {}

  std::optional<MarkerProblem> Run() {
    if (ReadAny() && at_ < text_.size()) {
      const bool bracket = text_[at_] == ')';
      Report(bracket ? "a ')' closes no bracket"
                     : fmt::format("{} stands where 'and', 'or' or the end is expected", Next()));
    }
    return std::move(problem_);
  }

 private:
  // Comparisons with `and` and `or` between them.
  bool ReadAny() {
    do {
      if (!ReadOne()) return false;
    } while (TakeWord("and") || TakeWord("or"));
    return true;
  }

  bool ReadOne() {
    SkipBlanks();
    if (at_ == text_.size() || text_[at_] != '(') {
      return ReadValue() && ReadComparison() && ReadValue();
    }
    if (++nested_ > kMostNestedBrackets) {
      return Report(fmt::format("more than {} brackets are open", kMostNestedBrackets));
    }
    const std::size_t open = at_++;
    if (!ReadAny()) return false;
    if (at_ == text_.size() || text_[at_] != ')') {
      if (at_ < text_.size()) {
        return Report(fmt::format("{} stands where 'and', 'or' or ')' is expected", Next()));
      }
      at_ = open;
      return Report("the '(' is not closed");
    }
    --nested_;
    ++at_;
    SkipBlanks();
    return true;
  }

  // A variable, or a text in quotes.
  bool ReadValue() {
    SkipBlanks();
    if (at_ == text_.size()) {
      return Report(text_.find_first_not_of(" \t") == std::string_view::npos
                        ? "nothing stands behind the ';'"
                        : "it ends where a variable or a text in quotes is expected");
    }
    const char quote = text_[at_];
    if (quote == '\'' || quote == '"') {
      const std::size_t end = text_.find(quote, at_ + 1);
      if (end == std::string_view::npos) return Report(fmt::format("the {} is not closed", quote));
      const std::size_t escape = text_.substr(0, end).find('\\', at_);
      if (escape != std::string_view::npos) {
        at_ = escape;
        return Report("the grammar has no backslash in texts",
                      "pip takes it for an escape of Python, uv for a character: leave it out");
      }
      at_ = end + 1;
      SkipBlanks();
      return true;
    }
    const std::string_view word = NextWord(true);
    if (word.empty()) {
      return Report(
          fmt::format("{} stands where a variable or a text in quotes is expected", Next()));
    }
    if (std::ranges::find(kVariables, word) == kVariables.end()) {
      std::string hint;
      if (word.size() < 40) {
        hint = DidYouMean(word,
                          std::span<const std::string_view>(kVariables).first(kCurrentVariables));
      }
      return Report(
          fmt::format("{} is no variable of markers; texts stand in quotes", Quoted(word)),
          std::move(hint));
    }
    at_ += word.size();
    SkipBlanks();
    return true;
  }

  bool ReadComparison() {
    for (const std::string_view sign : kComparisons) {
      if (!text_.substr(at_).starts_with(sign)) continue;
      at_ += sign.size();
      return true;
    }
    if (TakeWord("in")) return true;
    if (TakeWord("not")) {
      if (TakeWord("in")) return true;
      return Report(fmt::format("{} stands behind 'not' where 'in' is expected", Next()));
    }
    return Report(fmt::format(
        "{} is no comparison; expected ==, !=, <=, >=, <, >, ~=, ===, in or not in", Next()));
  }

  bool TakeWord(std::string_view word) {
    if (NextWord(false) != word) return false;
    at_ += word.size();
    SkipBlanks();
    return true;
  }

  std::string_view NextWord(bool with_dots) const {
    const std::string_view rest = text_.substr(at_);
    const auto end = std::ranges::find_if_not(
        rest, [&](char c) { return IsWordCharacter(c) || (with_dots && (c == '.' || c == '-')); });
    return rest.substr(0, static_cast<std::size_t>(end - rest.begin()));
  }

  // What stands here, for a message.
  std::string Next() const {
    if (at_ == text_.size()) return "the end";
    const std::string_view word = NextWord(true);
    if (!word.empty()) return Quoted(word);
    const std::string_view rest = text_.substr(at_);
    const std::size_t signs = rest.find_first_not_of("<>=!~&|");
    const std::size_t letter = std::max<std::size_t>(DecodeUtf8(rest).length, 1);
    return Quoted(rest.substr(0, signs == 0 ? letter : signs));
  }

  void SkipBlanks() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t')) ++at_;
  }

  bool Report(std::string message, std::string hint = {}) {
    problem_ = MarkerProblem{.at = at_, .message = std::move(message), .hint = std::move(hint)};
    return false;
  }

  std::string_view text_;
  std::size_t at_ = 0;
  int nested_ = 0;
  std::optional<MarkerProblem> problem_;
};

}  // namespace

std::optional<MarkerProblem> FindMarkerProblem(std::string_view marker) {
  return MarkerReader(marker).Run();
}

std::size_t FindMarker(std::string_view requirement) {
  const std::size_t first = requirement.find_first_of("@;");
  if (first == std::string_view::npos || requirement[first] == ';') return first;
  // An address may hold a semicolon; the marker has a blank before its own.
  const std::size_t blank = requirement.find(" ;", first);
  return blank == std::string_view::npos ? blank : blank + 1;
}

}  // namespace wheelwright
