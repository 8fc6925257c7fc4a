// Functions on text that several folders use.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/characters.h"

namespace wheelwright {

// Characters (code points) in UTF-8 text; a malformed byte counts as one.
std::size_t CountCharacters(std::string_view utf8);

// The character at the front of a text that is not empty. `length` counts bytes and is 0 where the
// text is no UTF-8.
struct Utf8Character {
  std::size_t length = 0;
  std::uint32_t code = 0;
};
Utf8Character DecodeUtf8(std::string_view text);

// Offset of the first byte that text files must not have: malformed UTF-8, or a control character
// other than tab and line feed.
std::optional<std::size_t> FindForeignByte(std::string_view text);

// The text with U+FFFD in place of each such byte, so that it cannot control the terminal.
std::string Printable(std::string_view text);

// The same on one line, for names within a line.
std::string OneLine(std::string_view text);

// An URL for logs, with *** in place of its user name and password. Other text is unchanged.
std::string WithoutPassword(std::string_view word);

std::string ToLower(std::string_view ascii);
constexpr char ToLower(char ascii) {
  return IsUpperLetter(ascii) ? static_cast<char>(ascii - 'A' + 'a') : ascii;
}
// ASCII only. In the header, as the checks ask it for every name.
inline bool EqualsIgnoringCase(std::string_view a, std::string_view b) {
  if (a.size() != b.size()) return false;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (a[i] != b[i] && ToLower(a[i]) != ToLower(b[i])) return false;
  }
  return true;
}
bool EqualsAnyIgnoringCase(std::string_view word, std::span<const std::string_view> words);
bool EqualsAnyIgnoringCase(std::string_view word, std::initializer_list<std::string_view> words);
std::string_view Trim(std::string_view text);  // blanks and line feeds
std::vector<std::string_view> Split(std::string_view text, char separator);

// "1 file", "3 files"; `many` defaults to `one` with an s.
std::string Count(std::size_t count, std::string_view one, std::string_view many = {});

// The text, or its beginning and an ellipsis, in `most` characters.
std::string Shorten(std::string_view text, std::size_t most, std::string_view ellipsis = "...");

// The text with line feeds in place of blanks, so that no line has more than `width` characters
// unless a word has. The first line has `used` already; the others begin with `indent` blanks.
// A width of 0 wraps nothing.
std::string WrapWords(std::string_view text, std::size_t width, std::size_t used = 0,
                      std::size_t indent = 0);

// "12,345".
std::string WithThousands(std::size_t number);

// Text for a Markdown table cell with its bars escaped, which end a cell even within code. For this
// program's own text; untrusted text takes EscapeMarkdown().
std::string EscapeBars(std::string_view text);

// A decimal number without a sign; nothing for other text and for larger numbers.
std::optional<std::uint64_t> ReadWholeNumber(std::string_view text);

// The same for a smaller type.
template <typename Number>
std::optional<Number> ReadWholeNumber(std::string_view text) {
  const std::optional<std::uint64_t> number = ReadWholeNumber(text);
  return number && std::in_range<Number>(*number) ? std::optional(static_cast<Number>(*number))
                                                  : std::nullopt;
}

// "a, b and c".
std::string JoinWords(std::span<const std::string> words);

// The candidate nearest to `word` by edit distance (case differences count as half a slip), or ""
// when none is near enough, or the word is longer than 200 bytes.
std::string_view Nearest(std::string_view word, std::span<const std::string_view> candidates);

// "did you mean 'x'?", or "" when nothing is near.
std::string DidYouMean(std::string_view word, std::span<const std::string_view> candidates);

// The same; when nothing is near and there are at most nine candidates, lists them all after
// `introduction`: "it has a, b and c".
std::string DidYouMean(std::string_view word, std::span<const std::string_view> candidates,
                       std::string_view introduction);

// Whether `text` matches `pattern`, in which `*` stands for any characters, slashes included.
bool MatchesStars(std::string_view pattern, std::string_view text);

}  // namespace wheelwright
