#include "generator/expression/format_text.h"

#include <fmt/format.h>

#include <charconv>

namespace wheelwright {

std::optional<ExpressionError> ParseFormat(std::string_view text,
                                           std::vector<FormatPiece>& pieces) {
  const auto copy = [&](std::size_t from, std::size_t to) {
    if (to > from) pieces.push_back({text.substr(from, to - from), FormatPiece::kNoArgument, from});
  };
  std::size_t from = 0;
  std::size_t at = 0;
  while ((at = text.find_first_of("{}", at)) != std::string_view::npos) {
    if (at + 1 < text.size() && text[at + 1] == text[at]) {
      copy(from, at + 1);
      from = at += 2;
      continue;
    }
    const std::size_t end = text.find('}', at);
    if (text[at] == '}' || end == std::string_view::npos) {
      return ExpressionError{at, 1, fmt::format("a single '{}' in the text of format()", text[at]),
                             fmt::format("write '{0}{0}' for a brace", text[at])};
    }
    copy(from, at);
    FormatPiece piece;
    piece.text = text.substr(at, end + 1 - at);
    piece.offset = at;
    const auto [last, error] =
        std::from_chars(text.data() + at + 1, text.data() + end, piece.argument);
    if (error != std::errc{} || last != text.data() + end) {
      return ExpressionError{at, end + 1 - at,
                             fmt::format("'{}' is no place for an argument", piece.text),
                             "write {0}, {1} and so on, or '{{' for a brace"};
    }
    pieces.push_back(piece);
    from = at = end + 1;
  }
  copy(from, text.size());
  return std::nullopt;
}

}  // namespace wheelwright
