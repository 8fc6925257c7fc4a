// Finds unused anchors. The tree has no anchors: they are in the text before a node, and an alias
// is the same node again.
#include <fmt/format.h>

#include <map>

#include "base/text.h"
#include "generator/lint/checks.h"

namespace wheelwright {
namespace {

void CountNodes(const Node& node, std::map<const Node*, int>& counts) {
  if (++counts[&node] > 1) return;
  for (const Node* item : node.items) CountNodes(*item, counts);
  for (const Entry& entry : node.entries) {
    CountNodes(*entry.key, counts);
    CountNodes(*entry.value, counts);
  }
}

bool IsBlank(char c) { return c == ' ' || c == '\n'; }

// `&name` in front of an offset, blanks between.
std::string_view AnchorBefore(std::string_view text, std::size_t at) {
  while (at > 0 && IsBlank(text[at - 1])) --at;
  std::size_t begin = at;
  while (begin > 0 && !IsBlank(text[begin - 1]) && text[begin - 1] != '&') --begin;
  if (begin == at || begin == 0 || text[begin - 1] != '&') return {};
  if (begin > 1 && !IsBlank(text[begin - 2])) return {};
  return text.substr(begin - 1, at - begin + 1);
}

}  // namespace

void CheckAnchors(const Checking& checking) {
  const Node& root = *checking.workflow.root;
  const FileId file = root.where.begin.file;
  const std::string_view text = checking.sources.Text(file);
  if (text.find(" &") == std::string_view::npos) return;
  std::map<const Node*, int> counts;
  CountNodes(root, counts);
  // A mapping begins at its first key, which has no own anchor.
  std::map<std::string_view, bool> used;
  for (const auto& [node, count] : counts) {
    const std::size_t at = node->where.begin.offset;
    const std::string_view anchor = at < text.size() && text[at] == '&'
                                        ? text.substr(at, text.find_first_of(" \n", at) - at)
                                        : AnchorBefore(text, at);
    if (!anchor.empty()) used[anchor] = used[anchor] || count > 1;
  }
  for (const auto& [anchor, is_used] : used) {
    if (is_used) continue;
    const auto offset = static_cast<std::uint32_t>(anchor.data() - text.data());
    checking.Warn({.code = "unused-anchor",
                   .message = fmt::format("nothing uses the anchor '{}'", anchor.substr(1)),
                   .where = {{file, offset}, static_cast<std::uint32_t>(anchor.size())},
                   .hint = "remove it"});
  }
}

}  // namespace wheelwright
