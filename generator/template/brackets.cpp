// Brackets that are not the ones that were meant: `${{ combo.id }}` and `[[ combo.id ]]` for
// `$[[ combo.id ]]`.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/characters.h"
#include "base/text.h"
#include "generator/template/body.h"
#include "generator/yaml/text_places.h"

namespace wheelwright::template_tree {
namespace {

// What GitHub knows in `${{ }}`: https://docs.github.com/actions/reference/contexts-reference
constexpr std::array<std::string_view, 12> kContexts = {"env",     "github", "inputs",   "job",
                                                        "jobs",    "matrix", "needs",    "runner",
                                                        "secrets", "steps",  "strategy", "vars"};

bool IsOfName(char c) { return IsWordCharacter(c); }

bool ReadsContext(std::string_view text) {
  return std::ranges::any_of(kContexts, [&](std::string_view name) {
    const std::size_t at = text.find(fmt::format("{}.", name));
    return at != std::string_view::npos && (at == 0 || !IsOfName(text[at - 1]));
  });
}

}  // namespace

// The first name of templates that an expression reads; marks all of them as read.
std::string_view BodyReader::OwnNameIn(const Expr& expr) {
  std::string_view found;
  const bool is_name = expr.kind == ExprKind::kName;
  if (is_name && std::ranges::find(kContexts, expr.name) == kContexts.end() &&
      names_.Use(expr.name)) {
    found = expr.name;
  }
  for (const Expr* operand : expr.operands) {
    const std::string_view name = OwnNameIn(*operand);
    if (found.empty()) found = name;
  }
  return found;
}

std::string_view BodyReader::OwnNameIn(std::string_view text) {
  if (text.find("$[[") != std::string_view::npos) return {};
  const std::string_view trimmed = Trim(text);
  const auto end = std::ranges::find_if_not(trimmed, IsOfName);
  const std::string_view word(trimmed.begin(), end);
  if (IsKeyword(word) && end != trimmed.end() && *end == ' ') return word;
  const ParsedExpression parsed = ParseExpression(text, arena_);
  return parsed.root == nullptr ? std::string_view() : OwnNameIn(*parsed.root);
}

void BodyReader::ReportBrackets(SourceRange where, std::string_view name, std::string_view inner) {
  names_.Doubt();
  const bool keyword = IsKeyword(name);
  Report("wrong-brackets", where,
         keyword ? fmt::format("'{}' is a directive of templates", name)
                 : fmt::format("'{}' is a name of templates, and is known while files are "
                               "generated",
                               name),
         ReadsContext(inner) ? "put $[[ ]] around what templates know, within it"
                             : fmt::format("write $[[ {} ]]", Trim(inner)));
}

void BodyReader::CheckBrackets(const Node& scalar) {
  const std::string_view text = scalar.text;
  if (!scalar.is_string()) return;
  std::vector<Embedded> found;
  if (text.find("${{") != std::string_view::npos && !FindEmbedded(text, Brackets::kGithub, found)) {
    for (const Embedded& one : found) {
      const auto inner = text.substr(one.inner_begin, one.inner_end - one.inner_begin);
      if (const std::string_view name = OwnNameIn(inner); !name.empty()) {
        ReportBrackets(Locate(scalar, one.begin, one.end - one.begin), name, inner);
      }
    }
  }
  // In scripts, `[[ ... ]]` is also a command of the shell.
  for (std::size_t at = text.find("[["); at != std::string_view::npos; at = text.find("[[", at)) {
    const std::size_t begin = at;
    at += 2;
    if (begin > 0 && text[begin - 1] == '$') continue;
    const std::size_t end = text.find("]]", at);
    if (end == std::string_view::npos) return;
    const std::string_view inner = text.substr(at, end - at);
    const std::string_view name = OwnNameIn(inner);
    if (name.empty() || IsKeyword(name)) continue;
    ReportBrackets(Locate(scalar, begin, end + 2 - begin), name, inner);
  }
}

// A list in a list, on one line, as it is written: "[[ combo.id ]]".
bool BodyReader::IsWrongBrackets(const Node& list) {
  const bool nested = list.style == NodeStyle::kFlow && list.items.size() == 1 &&
                      list.items[0]->is_sequence() && list.where.known();
  if (!nested) return false;
  const std::string_view text =
      sources_.Text(list.where.begin.file).substr(list.where.begin.offset);
  const std::size_t end = text.substr(0, text.find('\n')).find("]]");
  if (!text.starts_with("[[") || end == std::string_view::npos) return false;
  const std::string_view inner = text.substr(2, end - 2);
  const std::string_view name = OwnNameIn(inner);
  if (name.empty()) return false;
  ReportBrackets({list.where.begin, static_cast<std::uint32_t>(end + 2)}, name, inner);
  return true;
}

}  // namespace wheelwright::template_tree
