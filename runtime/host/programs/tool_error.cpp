#include "runtime/host/programs/tool_error.h"

#include <charconv>
#include <utility>

#include "base/text.h"

namespace wheelwright {
namespace {

// "a.cpp(12)" or "a.cpp(12,3)".
bool ReadMicrosoftPlace(std::string_view text, ToolError& error) {
  text = Trim(text);
  const std::size_t open = text.rfind('(');
  if (!text.ends_with(')') || open == std::string_view::npos || open == 0) return false;
  const std::string_view inside = text.substr(open + 1, text.size() - open - 2);
  const std::size_t comma = inside.find(',');
  const std::optional<std::size_t> line = ReadWholeNumber(inside.substr(0, comma));
  if (!line) return false;
  error.file = text.substr(0, open);
  error.line = *line;
  if (comma != std::string_view::npos)
    error.column = ReadWholeNumber(inside.substr(comma + 1)).value_or(0);
  return true;
}

bool IsProgramName(std::string_view place) {
  const std::string_view name = place.substr(place.find_last_of("/\\") + 1);
  return name.find('.') == std::string_view::npos || name == "ld.lld" || name.ends_with(".exe");
}

}  // namespace

void TakePosition(std::string_view& place, ToolError& error) {
  for (int i = 0; i < 2; ++i) {
    const std::size_t colon = place.rfind(':');
    if (colon == std::string_view::npos) return;
    const std::optional<std::size_t> number = ReadWholeNumber(place.substr(colon + 1));
    if (!number) return;
    error.column = std::exchange(error.line, *number);
    place = place.substr(0, colon);
  }
}

std::optional<ToolError> ReadErrorLine(std::string_view line) {
  for (const std::string_view word : {"fatal error: ", "error: "}) {
    const std::size_t at = line.find(word);
    if (at == std::string_view::npos) continue;
    if (at > 0 && (at < 2 || line.substr(at - 2, 2) != ": ")) continue;
    ToolError error{.message = std::string(Trim(line.substr(at + word.size())))};
    std::string_view place = Trim(line.substr(0, at < 2 ? 0 : at - 2));
    if (ReadMicrosoftPlace(place, error)) return error;
    TakePosition(place, error);
    if (error.line > 0 || !IsProgramName(place)) error.file = place;
    return error;
  }
  for (const std::string_view word : {": error C", ": fatal error C", ": error : "}) {
    const std::size_t at = line.find(word);
    if (at == std::string_view::npos) continue;
    ToolError error{.message = std::string(Trim(line.substr(at + 2)))};
    if (ReadMicrosoftPlace(line.substr(0, at), error)) return error;
  }
  return std::nullopt;
}

std::string WithoutColors(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '\x1b') {
      out += text[i];
      continue;
    }
    // ESC [ parameters letter; of other sequences, the next character is removed too.
    if (i + 1 < text.size() && text[i + 1] == '[') {
      i += 2;
      while (i < text.size() && (text[i] < '@' || text[i] > '~')) ++i;
    } else {
      ++i;
    }
  }
  return out;
}

}  // namespace wheelwright
