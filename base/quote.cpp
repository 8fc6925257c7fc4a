#include "base/quote.h"

#include <fmt/format.h>

#include "base/text.h"

namespace wheelwright {

std::string Quoted(std::string_view foreign) {
  constexpr std::size_t kMostShown = 80;  // bytes: enough for any name that is meant
  std::string out = "'";
  std::string_view shown = foreign;
  if (shown.size() > kMostShown) {
    shown = shown.substr(0, kMostShown);
    // Not in the middle of a character.
    while (!shown.empty() && (foreign[shown.size()] & 0xC0) == 0x80) shown.remove_suffix(1);
  }
  while (!shown.empty()) {
    const auto bad = FindForeignByte(shown);
    for (const char c : shown.substr(0, bad.value_or(shown.size()))) {
      if (c == '\n') {
        out += "\\n";
      } else if (c == '\t') {
        out += "\\t";
      } else {
        out += c;
      }
    }
    if (!bad) break;
    out += shown[*bad] == '\r' ? std::string("\\r")
                               : fmt::format("\\x{:02x}", static_cast<unsigned char>(shown[*bad]));
    shown.remove_prefix(*bad + 1);
  }
  out += "'";
  if (foreign.size() > kMostShown) {
    out += fmt::format("... ({} bytes)", WithThousands(foreign.size()));
  }
  return out;
}

std::string MarkdownCell(std::string_view foreign) {
  constexpr std::string_view kMarkup = "|\\`<*_[]";
  std::string out;
  for (const char c : Printable(foreign)) {
    if (kMarkup.find(c) != std::string_view::npos) out += '\\';
    out += c == '\n' ? ' ' : c;
  }
  return out;
}

}  // namespace wheelwright
