#include "base/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <numeric>

namespace wheelwright {
namespace {

// Edit distance with neighbouring swaps (optimal string alignment), in half slips: a change of case
// costs 1, everything else 2.
std::size_t HalfSlips(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before(b.size() + 1), last(b.size() + 1), now(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) last[j] = 2 * j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    now[0] = 2 * i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const char x = a[i - 1];
      const char y = b[j - 1];
      const std::size_t change = x == y ? 0 : ToLower(x) == ToLower(y) ? 1 : 2;
      now[j] = std::min({last[j] + 2, now[j - 1] + 2, last[j - 1] + change});
      if (i > 1 && j > 1 && x == b[j - 2] && a[i - 2] == y)
        now[j] = std::min(now[j], before[j - 2] + 2);
    }
    std::swap(before, last);
    std::swap(last, now);
  }
  return last[b.size()];
}

}  // namespace

// Code points, not columns: utf8proc would know the width of each (a static archive of 346 kB
// without further dependencies), and no name that these tables hold has a wide one.
std::size_t CountCharacters(std::string_view utf8) {
  return static_cast<std::size_t>(
      std::count_if(utf8.begin(), utf8.end(), [](char c) { return (c & 0xC0) != 0x80; }));
}

Utf8Character DecodeUtf8(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char lead = byte(0);
  if (lead < 0x80) return {1, lead};
  const std::size_t length = lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
  if (lead < 0xC2 || lead > 0xF4 || text.size() < length) return {};
  std::uint32_t code = lead & (0x7Fu >> length);
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xC0) != 0x80) return {};
    code = code << 6 | (byte(i) & 0x3Fu);
  }
  const bool overlong = (length == 3 && code < 0x800) || (length == 4 && code < 0x10000);
  const bool surrogate = code >= 0xD800 && code <= 0xDFFF;
  if (overlong || surrogate || code > 0x10FFFF) return {};
  return {length, code};
}

std::optional<std::size_t> FindForeignByte(std::string_view text) {
  for (std::size_t i = 0; i < text.size();) {
    const auto byte = static_cast<unsigned char>(text[i]);
    if ((byte < 0x20 && byte != '\t' && byte != '\n') || byte == 0x7F) return i;
    const std::size_t length = byte < 0x80 ? 1 : DecodeUtf8(text.substr(i)).length;
    if (length == 0) return i;
    i += length;
  }
  return std::nullopt;
}

std::string Printable(std::string_view text) {
  std::string clean;
  while (const auto at = FindForeignByte(text)) {
    clean.append(text.substr(0, *at)).append("\xEF\xBF\xBD");
    text.remove_prefix(*at + 1);
  }
  return clean.append(text);
}

std::string WithoutPassword(std::string_view word) {
  const std::size_t scheme = word.find("://");
  if (scheme == std::string_view::npos) return std::string(word);
  const std::size_t begin = scheme + 3;
  const std::size_t end = std::min(word.find('/', begin), word.size());
  const std::size_t at = word.substr(0, end).rfind('@');
  if (at == std::string_view::npos || at < begin) return std::string(word);
  return std::string(word.substr(0, begin)) + "***" + std::string(word.substr(at));
}

std::string OneLine(std::string_view text) {
  std::string line = Printable(text);
  std::ranges::replace_if(line, [](char c) { return c == '\n' || c == '\t'; }, ' ');
  return line;
}

std::string ToLower(std::string_view ascii) {
  std::string lower(ascii);
  for (char& c : lower) c = ToLower(c);
  return lower;
}

bool EqualsAnyIgnoringCase(std::string_view word, std::span<const std::string_view> words) {
  return std::any_of(words.begin(), words.end(),
                     [&](std::string_view one) { return EqualsIgnoringCase(one, word); });
}

bool EqualsAnyIgnoringCase(std::string_view word, std::initializer_list<std::string_view> words) {
  return EqualsAnyIgnoringCase(word, std::span(words.begin(), words.size()));
}

std::string_view Trim(std::string_view text) {
  constexpr std::string_view kBlank = " \t\r\n";
  const std::size_t first = text.find_first_not_of(kBlank);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kBlank) - first + 1);
}

std::vector<std::string_view> Split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  while (true) {
    const std::size_t at = text.find(separator);
    parts.push_back(text.substr(0, at));
    if (at == std::string_view::npos) return parts;
    text.remove_prefix(at + 1);
  }
}

std::string Count(std::size_t count, std::string_view one, std::string_view many) {
  if (count == 1) return fmt::format("1 {}", one);
  if (many.empty()) return fmt::format("{} {}s", WithThousands(count), one);
  return fmt::format("{} {}", WithThousands(count), many);
}

std::string Shorten(std::string_view text, std::size_t most, std::string_view ellipsis) {
  if (CountCharacters(text) <= most) return std::string(text);
  const std::size_t kept = most - std::min(most, CountCharacters(ellipsis));
  std::size_t end = 0;
  for (std::size_t characters = 0; end < text.size(); ++end) {
    const bool starts = (static_cast<unsigned char>(text[end]) & 0xC0) != 0x80;
    if (starts && characters++ == kept) break;
  }
  std::string shortened(Trim(text.substr(0, end)));
  return shortened += ellipsis;
}

std::string WrapWords(std::string_view text, std::size_t width, std::size_t used,
                      std::size_t indent) {
  if (width == 0) return std::string(text);
  std::string out;
  std::size_t column = used;
  bool first = true;
  for (const std::string_view word : Split(text, ' ')) {
    const std::size_t characters = CountCharacters(word);
    if (!first && column + 1 + characters > width) {
      out += '\n' + std::string(indent, ' ');
      column = indent;
    } else if (!first) {
      out += ' ';
      ++column;
    }
    out += word;
    column += characters;
    first = false;
  }
  return out;
}

std::string WithThousands(std::size_t number) {
  std::string digits = std::to_string(number);
  for (auto at = static_cast<std::ptrdiff_t>(digits.size()) - 3; at > 0; at -= 3) {
    digits.insert(static_cast<std::size_t>(at), ",");
  }
  return digits;
}

std::string EscapeBars(std::string_view text) {
  std::string escaped;
  for (const char c : text) {
    if (c == '|') escaped += '\\';
    escaped += c;
  }
  return escaped;
}

std::optional<std::uint64_t> ReadWholeNumber(std::string_view text) {
  std::uint64_t number = 0;
  const char* end = text.data() + text.size();
  const auto [last, error] = std::from_chars(text.data(), end, number);
  if (error != std::errc() || last != end) return std::nullopt;
  return number;
}

std::string JoinWords(std::span<const std::string> words) {
  std::string joined;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (i > 0) joined += i + 1 == words.size() ? " and " : ", ";
    joined += words[i];
  }
  return joined;
}

std::string_view Nearest(std::string_view word, std::span<const std::string_view> candidates) {
  // Nobody writes such names, and the time grows with the square of their length.
  constexpr std::size_t kLongest = 200;
  if (word.size() > kLongest) return {};
  // A third of the word may differ; in words of four letters or more at least two characters.
  const std::size_t allowed = 2 * std::max<std::size_t>(word.size() < 4 ? 1 : 2, word.size() / 3);
  std::string_view best;
  std::size_t best_slips = allowed + 1;
  for (const std::string_view candidate : candidates) {
    const std::size_t longer = std::max(word.size(), candidate.size());
    if (longer - std::min(word.size(), candidate.size()) > allowed / 2) continue;
    const std::size_t slips = HalfSlips(word, candidate);
    if (slips < best_slips && slips < 2 * longer) {
      best = candidate;
      best_slips = slips;
    }
  }
  return best;
}

std::string DidYouMean(std::string_view word, std::span<const std::string_view> candidates) {
  const std::string_view nearest = Nearest(word, candidates);
  return nearest.empty() ? "" : fmt::format("did you mean '{}'?", nearest);
}

std::string DidYouMean(std::string_view word, std::span<const std::string_view> candidates,
                       std::string_view introduction) {
  constexpr std::size_t kMostShown = 9;  // longer lists help nobody
  std::string hint = DidYouMean(word, candidates);
  if (!hint.empty() || candidates.empty() || candidates.size() > kMostShown) return hint;
  const std::vector<std::string> words(candidates.begin(), candidates.end());
  return fmt::format("{} {}", introduction, JoinWords(words));
}

bool MatchesStars(std::string_view pattern, std::string_view text) {
  std::size_t p = 0, t = 0, star = std::string_view::npos, resume = 0;
  while (t < text.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      resume = t;
    } else if (p < pattern.size() && pattern[p] == text[t]) {
      ++p;
      ++t;
    } else if (star != std::string_view::npos) {
      p = star + 1;
      t = ++resume;
    } else {
      return false;
    }
  }
  return pattern.find_first_not_of('*', p) == std::string_view::npos;
}

}  // namespace wheelwright
