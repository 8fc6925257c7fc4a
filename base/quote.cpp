#include "base/quote.h"

#include <fmt/format.h>

#include <cctype>

#include "base/text.h"

namespace wheelwright {

std::string Quoted(std::string_view foreign) {
  // In bytes. The longest real texts are file names, and no file system takes longer ones.
  constexpr std::size_t kMostShown = 255;
  if (foreign.size() <= kMostShown) return QuotedPath(foreign);
  std::string_view shown = foreign.substr(0, kMostShown);
  // Not in the middle of a character.
  while (!shown.empty() && (foreign[shown.size()] & 0xC0) == 0x80) shown.remove_suffix(1);
  return fmt::format("{}... ({} bytes)", QuotedPath(shown), WithThousands(foreign.size()));
}

std::string QuotedPath(std::string_view path) {
  std::string out = "'";
  while (!path.empty()) {
    const auto bad = FindForeignByte(path);
    for (const char c : path.substr(0, bad.value_or(path.size()))) {
      if (c == '\n') {
        out += "\\n";
      } else if (c == '\t') {
        out += "\\t";
      } else {
        out += c;
      }
    }
    if (!bad) break;
    out += path[*bad] == '\r' ? std::string("\\r")
                              : fmt::format("\\x{:02x}", static_cast<unsigned char>(path[*bad]));
    path.remove_prefix(*bad + 1);
  }
  return out + "'";
}

std::string EscapeMarkdown(std::string_view foreign) {
  constexpr std::string_view kMarkup = "|\\`<*[";
  const std::string text = Printable(foreign);
  const auto is_word = [&](std::size_t at) {
    return at < text.size() && std::isalnum(static_cast<unsigned char>(text[at])) != 0;
  };
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    // Inside of a word, `_` means itself: https://spec.commonmark.org/0.31.2/#rule-2
    const bool underline = text[i] == '_' && !(i > 0 && is_word(i - 1) && is_word(i + 1));
    if (underline || kMarkup.find(text[i]) != std::string_view::npos) out += '\\';
    out += text[i] == '\n' ? ' ' : text[i];
  }
  return out;
}

}  // namespace wheelwright
