#include "generator/emit/quoting.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>

#include "base/characters.h"
#include "base/text.h"

namespace wheelwright {
namespace {

// The role of a byte within a plain scalar.
enum class Inside : std::uint8_t {
  kSafe,
  kColon,    // ends a key when a blank or the end follows
  kHash,     // starts a comment behind a blank
  kFlow,     // , [ ] { }: separate inside a flow collection; ? does in YAML 1.1
  kHigh,     // part of a UTF-8 character
  kRefused,  // tabs, line feeds, control characters
};

struct ByteClass {
  Inside inside = Inside::kSafe;
  bool refused_first = false;  // an indicator or blank, which cannot begin a plain scalar
  bool may_resolve = false;    // null, booleans, numbers, dates, `<<` and `=` start with it
};

constexpr std::array<ByteClass, 256> MakeTable() {
  std::array<ByteClass, 256> table{};
  for (std::size_t c = 0; c < 0x20; ++c) table[c].inside = Inside::kRefused;
  table[0x7F].inside = Inside::kRefused;
  for (std::size_t c = 0x80; c < 0x100; ++c) table[c].inside = Inside::kHigh;
  table[':'].inside = Inside::kColon;
  table['#'].inside = Inside::kHash;
  for (const char c : {',', '[', ']', '{', '}', '?'}) {
    table[static_cast<unsigned char>(c)].inside = Inside::kFlow;
  }
  for (const char c : std::string_view(" ?:,[]{}#&*!|>'\"%@`")) {
    table[static_cast<unsigned char>(c)].refused_first = true;
  }
  for (const char c : std::string_view("0123456789+-.~=<nNtTfFyYoO")) {
    table[static_cast<unsigned char>(c)].may_resolve = true;
  }
  return table;
}

constexpr std::array<ByteClass, 256> kTable = MakeTable();

// The same as booleans, for the loop over all output.
constexpr std::array<bool, 256> kSafeInside = [] {
  std::array<bool, 256> safe{};
  for (std::size_t c = 0; c < 256; ++c) safe[c] = kTable[c].inside == Inside::kSafe;
  return safe;
}();

const ByteClass& ClassOf(char c) { return kTable[static_cast<unsigned char>(c)]; }

bool IsDigitOrUnderscore(char c) { return IsDigit(c) || c == '_'; }

std::size_t DigitsAt(std::string_view text, std::size_t at) {
  std::size_t end = at;
  while (end < text.size() && IsDigit(text[end])) ++end;
  return end - at;
}

// Integers and floats of both YAML versions, slightly more than either: 0b1, 0o7, 0x1F, 1_000,
// 1:30:00, 1e3, .5.
bool LooksLikeNumber(std::string_view text) {
  if (text.front() == '+' || text.front() == '-') text.remove_prefix(1);
  if (text.empty()) return false;
  if (text.size() > 2 && text[0] == '0' && !IsDigitOrUnderscore(text[1])) {
    const char base = static_cast<char>(text[1] | 0x20);
    if (base == 'x' || base == 'o' || base == 'b') {
      return std::all_of(text.begin() + 2, text.end(),
                         [](char c) { return IsHexDigit(c) || c == '_'; });
    }
  }
  if (text[0] == '.') {
    const std::string_view name = text.substr(1);
    if (EqualsIgnoringCase(name, "inf") || EqualsIgnoringCase(name, "nan")) return true;
    if (DigitsAt(text, 1) == 0) return false;
  } else if (!IsDigit(text[0])) {
    return false;
  }
  std::size_t at = 0;
  while (at < text.size() && IsDigitOrUnderscore(text[at])) ++at;
  while (at < text.size() && text[at] == ':') {  // base 60
    const std::size_t digits = DigitsAt(text, at + 1);
    if (digits == 0) return false;
    at += 1 + digits;
  }
  if (at < text.size() && text[at] == '.') {
    ++at;
    while (at < text.size() && IsDigitOrUnderscore(text[at])) ++at;
  }
  if (at < text.size() && (text[at] == 'e' || text[at] == 'E')) {
    ++at;
    if (at < text.size() && (text[at] == '+' || text[at] == '-')) ++at;
    const std::size_t digits = DigitsAt(text, at);
    if (digits == 0) return false;
    at += digits;
  }
  return at == text.size();
}

// 2026-01-31, alone or with a time behind it.
bool LooksLikeDate(std::string_view text) {
  if (DigitsAt(text, 0) != 4) return false;
  std::size_t at = 4;
  for (int part = 0; part < 2; ++part) {
    if (at >= text.size() || text[at] != '-') return false;
    const std::size_t digits = DigitsAt(text, at + 1);
    if (digits == 0 || digits > 2) return false;
    at += 1 + digits;
  }
  return at == text.size() || text[at] == 'T' || text[at] == 't' || text[at] == ' ';
}

bool ResolvesToOther(std::string_view text) {
  if (text == "~" || text == "=" || text == "<<") return true;
  if (text.size() <= 5) {
    constexpr std::array<std::string_view, 9> kWords = {"null", "true", "false", "yes", "no",
                                                        "on",   "off",  "y",     "n"};
    for (const std::string_view word : kWords) {
      if (EqualsIgnoringCase(text, word)) return true;
    }
  }
  return LooksLikeNumber(text) || LooksLikeDate(text);
}

bool IsDocumentMark(std::string_view text) {
  return (text.starts_with("---") || text.starts_with("...")) &&
         (text.size() == 3 || text[3] == ' ');
}

// Whether single quotes are possible without escapes and better than double ones.
bool FitsSingleQuotes(std::string_view text) {
  bool worth = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    const Inside inside = ClassOf(c).inside;
    if (c == '\'' || inside == Inside::kRefused) return false;
    if (inside == Inside::kHigh) {
      const std::size_t length = PrintableCharacter(text.substr(i));
      if (length == 0) return false;
      i += length - 1;
    }
    worth = worth || c == '"' || c == '\\';
  }
  return worth;
}

void AppendDoubleQuoted(std::string& out, std::string_view text) {
  out += '"';
  for (std::size_t i = 0; i < text.size();) {
    const char c = text[i];
    const auto byte = static_cast<unsigned char>(c);
    std::size_t length = 1;
    if (byte >= 0x80) {
      length = PrintableCharacter(text.substr(i));
      if (length > 0) {
        out += text.substr(i, length);
      } else {
        const Utf8Character character = DecodeUtf8(text.substr(i));
        const std::uint32_t code = character.length > 0 ? character.code : byte;
        length = std::max<std::size_t>(1, character.length);
        out += code <= 0xFF ? fmt::format("\\x{:02X}", code) : fmt::format("\\u{:04X}", code);
      }
    } else if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (ClassOf(c).inside == Inside::kRefused) {
      switch (c) {
        case '\n':
          out += "\\n";
          break;
        case '\t':
          out += "\\t";
          break;
        case '\r':
          out += "\\r";
          break;
        default:
          out += fmt::format("\\x{:02X}", byte);
      }
    } else {
      out += c;
    }
    i += length;
  }
  out += '"';
}

}  // namespace

std::size_t PrintableCharacter(std::string_view text) {
  const auto [length, code] = DecodeUtf8(text);
  const bool line_end = code == 0x2028 || code == 0x2029;
  // Each plane ends in two code points that are no characters; YAML excludes only those of the
  // first plane.
  const bool excluded = code < 0xA0 || code == 0xFEFF || code == 0xFFFE || code == 0xFFFF;
  return line_end || excluded ? 0 : length;
}

bool IsPlainString(std::string_view text, ScalarPlace place) {
  if (text.empty() || text.back() == ' ') return false;
  const ByteClass& first = ClassOf(text.front());
  if (first.refused_first) return false;
  const bool flow = place == ScalarPlace::kFlowItem;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (kSafeInside[static_cast<unsigned char>(text[i])]) continue;
    switch (ClassOf(text[i]).inside) {
      case Inside::kSafe:
        break;
      case Inside::kColon:
        // Inside brackets, readers of YAML 1.1 stop at any colon.
        if (flow || i + 1 == text.size() || text[i + 1] == ' ') return false;
        break;
      case Inside::kHash:
        if (text[i - 1] == ' ') return false;
        break;
      case Inside::kFlow:
        if (flow) return false;
        break;
      case Inside::kHigh: {
        const std::size_t length = PrintableCharacter(text.substr(i));
        if (length == 0) return false;
        i += length - 1;
        break;
      }
      case Inside::kRefused:
        return false;
    }
  }
  if (!first.may_resolve) return true;
  if (place == ScalarPlace::kKey && text == "on") return true;
  // "-x" is a word, "-" and "- x" are items.
  if (text.front() == '-' && (text.size() == 1 || text[1] == ' ')) return false;
  return !IsDocumentMark(text) && !ResolvesToOther(text);
}

void AppendScalar(std::string& out, std::string_view text, ScalarPlace place) {
  if (IsPlainString(text, place)) {
    out += text;
  } else if (FitsSingleQuotes(text)) {
    out += '\'';
    out += text;
    out += '\'';
  } else {
    AppendDoubleQuoted(out, text);
  }
}

std::string QuoteScalar(std::string_view text, ScalarPlace place) {
  std::string quoted;
  AppendScalar(quoted, text, place);
  return quoted;
}

}  // namespace wheelwright
