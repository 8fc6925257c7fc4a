#include <fmt/format.h>

#include <algorithm>

#include "generator/expression/parse.h"

namespace wheelwright {
namespace {

constexpr std::size_t kNotFound = std::string_view::npos;

// The offset behind a string's closing quote. Two quotes inside count as two adjacent strings, with
// the same end.
std::size_t SkipString(std::string_view text, std::size_t quote) {
  const std::size_t closing = text.find('\'', quote + 1);
  return closing == kNotFound ? kNotFound : closing + 1;
}

// The offset of the closing bracket of a `$[[ ]]` at `from`. On failure `open` is the start of an
// unclosed string or index, if any.
std::size_t FindClosingBrackets(std::string_view text, std::size_t from, std::size_t& open) {
  std::vector<std::size_t> indices;
  for (std::size_t at = from; at < text.size();) {
    const char c = text[at];
    if (c == '\'') {
      const std::size_t behind = SkipString(text, at);
      if (behind == kNotFound) {
        open = at;
        return kNotFound;
      }
      at = behind;
      continue;
    }
    if (c == '[') {
      indices.push_back(at);
    } else if (c == ']' && !indices.empty()) {
      indices.pop_back();
    } else if (c == ']' && at + 1 < text.size() && text[at + 1] == ']') {
      return at;
    }
    ++at;
  }
  if (!indices.empty()) open = indices.back();
  return kNotFound;
}

// The same for `${{ }}`, where brackets of indexes do not matter: jumps from one quote or brace to
// the next with the library's fast search.
std::size_t FindClosingBraces(std::string_view text, std::size_t from, std::size_t& open) {
  std::size_t end = text.find("}}", from);
  for (std::size_t at = from;;) {
    const std::size_t quote = text.substr(0, end).find('\'', at);
    if (quote == kNotFound) return end;
    at = SkipString(text, quote);
    if (at == kNotFound) {
      open = quote;
      return kNotFound;
    }
    if (at > end) end = text.find("}}", at);
  }
}

}  // namespace

std::optional<ExpressionError> FindEmbedded(std::string_view text, Brackets brackets,
                                            std::vector<Embedded>& found) {
  const bool github = brackets == Brackets::kGithub;
  const std::string_view opening = github ? "${{" : "$[[";
  const std::string_view closing = github ? "}}" : "]]";
  std::size_t at = 0;
  while ((at = text.find(opening, at)) != kNotFound) {
    std::size_t open = kNotFound;
    const std::size_t inner = at + opening.size();
    const std::size_t end =
        github ? FindClosingBraces(text, inner, open) : FindClosingBrackets(text, inner, open);
    if (end == kNotFound) {
      if (open != kNotFound && text[open] == '\'') {
        const std::size_t line = std::min(text.find('\n', open), text.size());
        return ExpressionError{open, line - open, "the string is not closed",
                               "expected a closing '"};
      }
      if (open != kNotFound) return ExpressionError{open, 1, "'[' is not closed", "expected a ']'"};
      return ExpressionError{at, opening.size(), fmt::format("'{}' is not closed", opening),
                             fmt::format("expected '{}'", closing)};
    }
    found.push_back({at, end + closing.size(), inner, end});
    at = end + closing.size();
  }
  return std::nullopt;
}

}  // namespace wheelwright
