#include "generator/yaml/comments.h"

#include <algorithm>
#include <string>

#include "base/text.h"
#include "generator/yaml/scan.h"

namespace wheelwright {
namespace {

// "-", "- -": dashes of items, but no scalar such as "--".
bool IsDashes(std::string_view text) {
  return text.find_first_not_of("- ") == std::string_view::npos &&
         text.find("--") == std::string_view::npos;
}

}  // namespace

std::span<const std::string_view> CommentPlaces::Attach() {
  const std::vector<Comment> comments = FindComments();
  std::vector<std::string_view> above;
  std::size_t next = 0;
  std::size_t line_of_last = std::string_view::npos;
  Mark last{0, nullptr, false};
  const auto take = [&](std::size_t limit) {
    for (; next < comments.size() && comments[next].offset < limit; ++next) {
      const Comment& comment = comments[next];
      const bool of_next = comment.place == CommentPlace::kBehindDash &&
                           last.offset < LineStart(text_, comment.offset);
      if (comment.place == CommentPlace::kOwnLine || of_next || last.node == nullptr) {
        above.push_back(comment.text);
      } else {
        AddTrailing(*last.node, comment.text);
      }
    }
  };
  // Marks are in the order of the text, so each line is searched once.
  std::size_t line = 0, line_until = 0;
  for (const Mark& mark : marks_) {
    const std::size_t first_new = next;
    take(mark.offset);
    last = mark;
    if (!mark.is_point) continue;
    if (!above.empty()) {
      MutableComments(*mark.node).above = arena_.Copy(std::span<const std::string_view>(above));
      above.clear();
    }
    const std::string_view passed = mark.offset < line_until
                                        ? std::string_view()
                                        : text_.substr(line_until, mark.offset - line_until);
    if (mark.offset < line_until || passed.find('\n') != std::string_view::npos) {
      line = LineStart(text_, mark.offset);
    }
    line_until = mark.offset;
    if (line != line_of_last) {
      std::size_t top = line;
      for (std::size_t i = first_new; i < next; ++i) {
        if (comments[i].place != CommentPlace::kTrailing) {
          top = LineStart(text_, comments[i].offset);
          break;
        }
      }
      if (IsBlankBefore(top)) MutableComments(*mark.node).blank_line_before = true;
    }
    line_of_last = line;
  }
  take(text_.size() + 1);
  return arena_.Copy(std::span<const std::string_view>(above));
}

std::vector<CommentPlaces::Comment> CommentPlaces::FindComments() const {
  std::vector<Comment> comments;
  auto scalar = scalars_.begin();
  for (std::size_t at = text_.find('#'); at != std::string_view::npos; at = text_.find('#', at)) {
    scalar = std::find_if(scalar, scalars_.end(), [&](const auto& one) { return one.second > at; });
    if (scalar != scalars_.end() && scalar->first <= at) {
      const char kind = text_[scalar->first];
      // The header line of a block scalar may have a comment.
      const bool in_header = (kind == '|' || kind == '>') && LineStart(text_, at) <= scalar->first;
      if (!in_header) {
        at = scalar->second;
        continue;
      }
    }
    if (at > 0 && text_[at - 1] != ' ' && text_[at - 1] != '\t' && text_[at - 1] != '\n') {
      ++at;
      continue;
    }
    const std::size_t end = std::min(text_.find('\n', at), text_.size());
    const std::size_t start = LineStart(text_, at);
    std::string_view comment = text_.substr(at, end - at);
    comment = comment.substr(0, comment.find_last_not_of(" \t") + 1);
    const std::string_view before = Trim(text_.substr(start, at - start));
    const CommentPlace place = before.empty()     ? CommentPlace::kOwnLine
                               : IsDashes(before) ? CommentPlace::kBehindDash
                                                  : CommentPlace::kTrailing;
    comments.push_back({at, comment, place});
    at = end;
  }
  return comments;
}

bool CommentPlaces::IsBlankBefore(std::size_t line_start) const {
  if (line_start == 0) return false;
  const std::size_t previous = LineStart(text_, line_start - 1);
  return Trim(text_.substr(previous, line_start - 1 - previous)).empty();
}

Comments& CommentPlaces::MutableComments(Node& node) {
  // All Comments of nodes were made here as mutable objects.
  if (node.comments == nullptr) node.comments = arena_.New<Comments>();
  return const_cast<Comments&>(*node.comments);
}

void CommentPlaces::AddTrailing(Node& node, std::string_view comment) {
  std::string_view& trailing = MutableComments(node).trailing;
  trailing = trailing.empty()
                 ? comment
                 : arena_.Copy(std::string_view(std::string(trailing).append(" ").append(comment)));
}

}  // namespace wheelwright
