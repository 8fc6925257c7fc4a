#include "generator/import/text_edits.h"

#include <algorithm>
#include <utility>

#include "generator/yaml/scan.h"

namespace wheelwright {
namespace {

std::size_t EndOfLine(std::string_view text, std::size_t at) {
  const std::size_t feed = text.find('\n', at);
  return feed == std::string_view::npos ? text.size() : feed + 1;
}

}  // namespace

EntryLines LinesOf(std::string_view text, const Node& key) {
  const std::size_t begin = LineStart(text, key.where.begin.offset);
  const std::size_t column = key.where.begin.offset - begin;
  std::size_t end = EndOfLine(text, begin);
  for (std::size_t at = end; at < text.size(); at = EndOfLine(text, at)) {
    const std::size_t first = text.find_first_not_of(' ', at);
    if (first == std::string_view::npos) break;
    const std::size_t indent = first - at;
    const bool blank = text[first] == '\n';
    const bool comment = text[first] == '#';
    if (blank || (comment && indent <= column)) continue;
    const bool item = indent == column && text.substr(first, 2) == "- ";
    if (indent <= column && !item) break;
    end = EndOfLine(text, first);
  }
  return {begin, end, column};
}

bool StartsLine(std::string_view text, const Node& key) {
  const std::size_t begin = LineStart(text, key.where.begin.offset);
  return text.substr(begin, key.where.begin.offset - begin).find_first_not_of(' ') ==
         std::string_view::npos;
}

std::string Reindented(std::string_view lines, std::size_t from, std::size_t to) {
  std::string made;
  for (std::size_t at = 0; at < lines.size();) {
    const std::size_t end = EndOfLine(lines, at);
    std::string_view line = lines.substr(at, end - at);
    at = end;
    line.remove_prefix(std::min(from, std::min(line.find_first_not_of(' '), line.size())));
    if (line.find_first_not_of(" \n") != std::string_view::npos) made.append(to, ' ');
    made += line;
  }
  return made;
}

void TextEdits::Replace(std::size_t begin, std::size_t end, std::string text) {
  edits_.push_back({begin, end, std::move(text), false});
}

void TextEdits::Indent(std::string_view text, std::size_t begin, std::size_t end, std::size_t by) {
  for (std::size_t at = begin; at < end; at = EndOfLine(text, at)) {
    if (text[at] != '\n') edits_.push_back({at, at, std::string(by, ' '), true});
  }
}

std::string TextEdits::Apply(std::string_view text) {
  // What replaces a line comes before its indentation, which is dropped then.
  const auto rank = [](const Edit& edit) {
    return edit.indents ? 2 : edit.end > edit.begin ? 1 : 0;
  };
  std::ranges::stable_sort(edits_, [&](const Edit& a, const Edit& b) {
    return std::pair(a.begin, rank(a)) < std::pair(b.begin, rank(b));
  });
  std::string made;
  std::size_t at = 0;
  for (const Edit& edit : edits_) {
    if (edit.begin < at) continue;
    made += text.substr(at, edit.begin - at);
    made += edit.text;
    at = edit.end;
  }
  made += text.substr(at);
  return made;
}

}  // namespace wheelwright
