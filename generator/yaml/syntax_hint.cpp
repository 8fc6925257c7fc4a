#include "generator/yaml/syntax_hint.h"

#include <fmt/format.h>

#include <algorithm>

namespace wheelwright {
namespace {

// The line that holds a place, and the one before it.
std::string_view LinesUpTo(std::string_view text, std::size_t at) {
  std::size_t start = std::min(at, text.size());
  for (int lines = 0; start > 0; --start) {
    if (text[start - 1] == '\n' && ++lines == 2) break;
  }
  return text.substr(start, text.find('\n', at) - start);
}

}  // namespace

std::string SyntaxHint(std::string_view message, std::string_view text, std::size_t at) {
  const std::string_view line = LinesUpTo(text, at);
  const bool in_brackets = message.find("flow") != std::string_view::npos;
  for (const std::string_view expression : {"$[[ ]]", "${{ }}"}) {
    if (in_brackets && line.find(expression.substr(0, 3)) != std::string_view::npos) {
      return fmt::format("inside [...] and {{...}}, {} must be in quotes", expression);
    }
  }
  if (message.find("map value") != std::string_view::npos ||
      message.find("end of map") != std::string_view::npos) {
    return "is the indentation right, and is text with ': ' in quotes?";
  }
  if (message.find("end of sequence") != std::string_view::npos) {
    return "is every '-' of the list in one column?";
  }
  if (message.find("unknown token") != std::string_view::npos) {
    return "text that begins with @, `, % or a tab needs quotes";
  }
  return "";
}

}  // namespace wheelwright
