#include "generator/yaml/scan.h"

#include <algorithm>

#include "base/characters.h"

namespace wheelwright {
namespace {

// YAML 1.2.2, [40] ns-tag-char; a '!' begins it.
constexpr std::string_view kTagCharacters =
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-!#;/?:@&=+$_.~*'()%";

bool IsNumberScalar(std::string_view text) {
  if (text.starts_with("0o")) {
    return text.size() > 2 && text.find_first_not_of("01234567", 2) == std::string_view::npos;
  }
  if (text.starts_with("0x")) {
    return text.size() > 2 && AreHexDigits(text.substr(2));
  }
  if (text == ".nan" || text == ".NaN" || text == ".NAN") return true;
  if (!text.empty() && (text[0] == '-' || text[0] == '+')) text.remove_prefix(1);
  if (text == ".inf" || text == ".Inf" || text == ".INF") return true;
  const std::size_t exponent = text.find_first_of("eE");
  if (exponent != std::string_view::npos) {
    std::string_view power = text.substr(exponent + 1);
    if (!power.empty() && (power[0] == '-' || power[0] == '+')) power.remove_prefix(1);
    if (!IsNumber(power)) return false;
    text = text.substr(0, exponent);
  }
  const std::size_t point = text.find('.');
  if (point == std::string_view::npos) return IsNumber(text);
  const std::string_view whole = text.substr(0, point);
  const std::string_view fraction = text.substr(point + 1);
  return whole.empty() ? IsNumber(fraction)
                       : IsNumber(whole) && (fraction.empty() || IsNumber(fraction));
}

std::size_t LineEnd(std::string_view text, std::size_t at) {
  return std::min(text.find('\n', at), text.size());
}

// Behind an anchor or a tag. It needs no blank behind it: in `![a]` a list follows the tag.
std::size_t EndOfProperty(std::string_view text, std::size_t at) {
  if (text[at] == '&') return EndOfAnchor(text, at);
  if (text.substr(at).starts_with("!<")) return std::min(text.find('>', at), text.size() - 1) + 1;
  return std::min(text.find_first_not_of(kTagCharacters, at), text.size());
}

// Blanks at the front of a line.
std::size_t IndentOfLine(std::string_view text, std::size_t line) {
  return std::min(text.find_first_not_of(' ', line), text.size()) - line;
}

}  // namespace

NodeKind PlainKind(std::string_view scalar) {
  for (const std::string_view word : {"true", "True", "TRUE", "false", "False", "FALSE"}) {
    if (scalar == word) return NodeKind::kBoolean;
  }
  return IsNumberScalar(scalar) ? NodeKind::kNumber : NodeKind::kString;
}

std::size_t LineStart(std::string_view text, std::size_t at) {
  const std::size_t before = at == 0 ? std::string_view::npos : text.rfind('\n', at - 1);
  return before == std::string_view::npos ? 0 : before + 1;
}

std::size_t EndOfAnchor(std::string_view text, std::size_t at) {
  return std::min(text.find_first_of(" \t\n[]{},", at), text.size());
}

std::size_t SkipProperties(std::string_view text, std::size_t at) {
  while (at < text.size() && (text[at] == '&' || text[at] == '!')) {
    at = std::min(text.find_first_not_of(" \t\n", EndOfProperty(text, at)), text.size());
  }
  return at;
}

std::size_t SkipBlanksAndComments(std::string_view text, std::size_t at) {
  while (at < text.size()) {
    at = std::min(text.find_first_not_of(" \t\n", at), text.size());
    if (at == text.size() || text[at] != '#') break;
    at = LineEnd(text, at);
  }
  return at;
}

std::size_t EndOfPlain(std::string_view text, std::size_t at, std::string_view value) {
  return text.substr(at, value.size()) == value ? at + value.size() : LineEnd(text, at);
}

std::size_t EndOfQuoted(std::string_view text, std::size_t at) {
  const char quote = text[at];
  for (std::size_t i = at + 1; i < text.size(); ++i) {
    if (quote == '"' && text[i] == '\\') {
      ++i;
    } else if (text[i] == quote) {
      if (quote == '"' || i + 1 == text.size() || text[i + 1] != '\'') return i + 1;
      ++i;
    }
  }
  return text.size();
}

std::size_t EndOfBlock(std::string_view text, std::size_t at,
                       std::optional<std::size_t> parent_column) {
  std::size_t line = LineEnd(text, at);
  // A header such as "|2-" says how deep the text is; else its first line does.
  std::string_view header = text.substr(at + 1, line - at - 1);
  header = header.substr(0, header.find_first_not_of("+-0123456789"));
  const std::size_t digit = header.find_first_of("123456789");
  std::size_t indent = 0;
  if (digit != std::string_view::npos) {
    indent = static_cast<std::size_t>(header[digit] - '0') + parent_column.value_or(0);
  }
  const std::size_t least = parent_column.value_or(0) + 1;
  std::size_t end = line;
  while (line < text.size()) {
    ++line;
    const std::size_t next = LineEnd(text, line);
    const std::size_t column = IndentOfLine(text, line);
    if (line + column < next) {
      if (indent == 0) {
        if (column < least) break;
        indent = column;
      }
      if (column < indent) break;
      end = next;
    }
    line = next;
  }
  return end;
}

std::optional<NodeKind> KindOfTag(std::string_view tag) {
  if (tag.empty() || tag == "!" || tag == "tag:yaml.org,2002:str") return NodeKind::kString;
  if (tag == "tag:yaml.org,2002:null") return NodeKind::kNull;
  if (tag == "tag:yaml.org,2002:bool") return NodeKind::kBoolean;
  if (tag == "tag:yaml.org,2002:int" || tag == "tag:yaml.org,2002:float") return NodeKind::kNumber;
  return std::nullopt;
}

bool IsOfKind(std::string_view scalar, NodeKind kind) {
  if (kind == NodeKind::kString) return true;
  if (kind != NodeKind::kNull) return PlainKind(scalar) == kind;
  for (const std::string_view word : {"", "~", "null", "Null", "NULL"}) {
    if (scalar == word) return true;
  }
  return false;
}

std::size_t EndOfFlow(std::string_view text, std::size_t at) {
  while (at < text.size() && text[at] != ']' && text[at] != '}') {
    const bool comment = text[at] == '#' && at > 0 && (text[at - 1] == ' ' || text[at - 1] == '\n');
    at = comment ? LineEnd(text, at) : at + 1;
  }
  return std::min(at + 1, text.size());
}

std::optional<std::size_t> FindConflict(std::string_view text) {
  if (text.find("<<<<<<< ") == std::string_view::npos) return std::nullopt;
  std::size_t first = std::string_view::npos;
  bool parted = false;
  for (std::size_t start = 0; start < text.size();) {
    const std::string_view line = text.substr(start, text.find('\n', start) - start);
    if (line.starts_with("<<<<<<< ")) first = start;
    if (line == "=======") parted = first != std::string_view::npos;
    if (line.starts_with(">>>>>>> ") && parted) return first;
    start += line.size() + 1;
  }
  return std::nullopt;
}

}  // namespace wheelwright
