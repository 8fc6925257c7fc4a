#include "base/markup.h"

#include <array>

namespace wheelwright {
namespace {

// By a table: a comparison for each digit and letter of a checksum cannot be predicted.
constexpr auto kSpecial = [] {
  std::array<bool, 256> special{};
  for (const unsigned char c : {'&', '<', '>', '"', '\''}) special[c] = true;
  return special;
}();

// Of one of these characters.
std::string_view EntityOf(char c) {
  switch (c) {
    case '&':
      return "&amp;";
    case '<':
      return "&lt;";
    case '>':
      return "&gt;";
    case '"':
      return "&quot;";
    default:
      return "&#x27;";
  }
}

}  // namespace

void AppendMarkup(std::string_view text, std::string& out) {
  while (true) {
    std::size_t plain = 0;
    while (plain < text.size() && !kSpecial[static_cast<unsigned char>(text[plain])]) ++plain;
    out.append(text.substr(0, plain));
    if (plain == text.size()) return;
    out.append(EntityOf(text[plain]));
    text.remove_prefix(plain + 1);
  }
}

std::string EscapeMarkup(std::string_view text) {
  std::string escaped;
  escaped.reserve(text.size());
  AppendMarkup(text, escaped);
  return escaped;
}

}  // namespace wheelwright
