// Kinds of ASCII characters, whatever the locale.
#pragma once

#include <algorithm>
#include <string_view>

namespace wheelwright {

constexpr bool IsDigit(char c) { return c >= '0' && c <= '9'; }
constexpr bool IsLowerLetter(char c) { return c >= 'a' && c <= 'z'; }
constexpr bool IsUpperLetter(char c) { return c >= 'A' && c <= 'Z'; }
constexpr bool IsLetter(char c) { return IsLowerLetter(c) || IsUpperLetter(c); }
constexpr bool IsLetterOrDigit(char c) { return IsLetter(c) || IsDigit(c); }
constexpr bool IsWordCharacter(char c) { return IsLetterOrDigit(c) || c == '_'; }
constexpr bool IsLowerHexDigit(char c) { return IsDigit(c) || (c >= 'a' && c <= 'f'); }
constexpr bool IsHexDigit(char c) { return IsLowerHexDigit(c) || (c >= 'A' && c <= 'F'); }

// Whether all characters are; those of a text without any are too.
constexpr bool AreDigits(std::string_view text) { return std::ranges::all_of(text, IsDigit); }
constexpr bool AreLowerHexDigits(std::string_view text) {
  return std::ranges::all_of(text, IsLowerHexDigit);
}
constexpr bool AreHexDigits(std::string_view text) { return std::ranges::all_of(text, IsHexDigit); }

constexpr bool IsNumber(std::string_view text) { return !text.empty() && AreDigits(text); }

// The ID of a commit in a repository of SHA-1.
constexpr bool IsCommitId(std::string_view text) {
  return text.size() == 40 && AreLowerHexDigits(text);
}

// A SHA-256 as files and indexes write it.
constexpr bool IsSha256(std::string_view text) {
  return text.size() == 64 && AreLowerHexDigits(text);
}

}  // namespace wheelwright
