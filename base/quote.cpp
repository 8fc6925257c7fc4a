#include "base/quote.h"

#include <fmt/format.h>

#include "base/text.h"

namespace wheelwright {

std::string Quoted(std::string_view foreign) {
  // Bytes: names of wheels and of files in them are longer than any other that is meant, and no
  // file system takes longer ones.
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
