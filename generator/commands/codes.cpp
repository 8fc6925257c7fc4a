#include "generator/commands/codes.h"

#include <fmt/format.h>

#include "base/text.h"
#include "generator/lsp/rule_texts.h"

namespace wheelwright {
namespace {

constexpr std::size_t kReadable = 80;

// "error[x]" and "[x]" as "x".
std::string_view CodeIn(std::string_view word) {
  if (!word.ends_with(']')) return word;
  word.remove_suffix(1);
  return word.substr(word.find('[') + 1);
}

// Without the targets of links, and without the escapes of a table.
std::string WithoutMarkup(std::string_view markdown) {
  std::string text;
  for (std::size_t i = 0; i < markdown.size(); ++i) {
    const std::string_view rest = markdown.substr(i);
    if (rest.starts_with("\\|")) continue;
    const std::size_t end = rest.starts_with('[') ? rest.find("](") : std::string_view::npos;
    const std::size_t close = end == std::string_view::npos ? end : rest.find(')', end);
    if (close != std::string_view::npos && rest.find(']') == end) {
      text += rest.substr(1, end - 1);
      i += close;
      continue;
    }
    text += markdown[i];
  }
  return text;
}

}  // namespace

std::string PageOfCode(std::string_view word, const Environment& environment) {
  const std::string_view code = CodeIn(word);
  const std::string rule = TextOfRule(code);
  if (rule.empty()) return {};
  const std::size_t width = environment.columns == 0 ? kReadable : environment.columns;
  std::string page = fmt::format("{}\n\n", code);
  const std::string text = WithoutMarkup(rule);
  for (const std::string_view line : Split(text, '\n')) page += WrapWords(line, width) + '\n';
  return page + fmt::format("\n{}\n", kRulesPage);
}

}  // namespace wheelwright
