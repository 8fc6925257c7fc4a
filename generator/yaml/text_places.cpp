#include "generator/yaml/text_places.h"

#include <algorithm>

namespace wheelwright {
namespace {

constexpr std::size_t kStep = 4096;                    // from an anchor to the next
constexpr std::size_t kMark = 64;                      // bytes that are looked for to set one
constexpr std::size_t kAhead = std::size_t{64} << 10;  // how much longer the source may be

}  // namespace

SourceRange TextPlaces::Locate(const Node& scalar, std::size_t offset, std::size_t length) {
  const std::string_view text = scalar.text;
  if (!scalar.where.known() || offset > text.size()) return scalar.where;
  if (&scalar != scalar_) Begin(scalar);
  if (same_) return Subrange(scalar.where, offset, length);
  std::string_view words = text.substr(offset, length);
  words = words.substr(0, words.find('\n'));
  if (words.empty()) {
    // A point: find what stands before it on its line.
    const std::size_t line = text.rfind('\n', offset == 0 ? 0 : offset - 1);
    const std::size_t start = line == std::string_view::npos ? 0 : line + 1;
    if (start >= offset) return scalar.where;
    const SourceRange before = Locate(scalar, start, offset - start);
    return before == scalar.where ? before : Subrange(before, before.length, 0);
  }
  AddAnchors(offset);
  const auto next = std::ranges::upper_bound(anchors_, offset, {}, &Anchor::text);
  const std::size_t at = Find(*(next - 1), offset, words);
  return at == std::string_view::npos ? scalar.where : Subrange(scalar.where, at, words.size());
}

void TextPlaces::Begin(const Node& scalar) {
  scalar_ = &scalar;
  written_ = sources_.Text(scalar.where);
  same_ = written_ == scalar.text;
  ended_ = false;
  anchors_.assign(1, {});
}

// Sets anchors up to a place of the text, at beginnings of lines if there are any.
void TextPlaces::AddAnchors(std::size_t offset) {
  const std::string_view text = scalar_->text;
  while (!ended_ && offset - std::min(anchors_.back().text, offset) > 2 * kStep) {
    const Anchor last = anchors_.back();
    std::size_t start = last.text + kStep;
    const std::size_t line = text.substr(start, kStep).find('\n');
    if (line != std::string_view::npos) start += line + 1;
    // What is written in another way here may not be so a little further on.
    ended_ = true;
    for (const std::size_t end = start + kStep; ended_ && start < end && start < text.size();
         start += kMark) {
      const std::string_view rest = text.substr(start, kMark);
      const std::size_t blanks = rest.find_first_not_of(" \n");
      if (blanks == std::string_view::npos) continue;
      const std::string_view words = rest.substr(blanks, rest.find('\n', blanks) - blanks);
      const std::size_t at = Find(last, start + blanks, words);
      if (at == std::string_view::npos) continue;
      anchors_.push_back({start + blanks, at});
      ended_ = false;
    }
  }
}

// Where in the source the words are that stand at `offset` of the text: the same occurrence of
// them, counted from the anchor, or npos.
std::size_t TextPlaces::Find(const Anchor& from, std::size_t offset, std::string_view words) const {
  if (offset - from.text > kAhead) return std::string_view::npos;
  const std::string_view text = scalar_->text.substr(from.text);
  const std::string_view source =
      written_.substr(from.written, 4 * (offset - from.text) + words.size() + kAhead);
  std::size_t at = source.find(words);
  for (std::size_t before = text.find(words); before < offset - from.text;
       before = text.find(words, before + 1)) {
    const std::size_t next = at == std::string_view::npos ? at : source.find(words, at + 1);
    if (next == std::string_view::npos) break;
    at = next;
  }
  return at == std::string_view::npos ? at : from.written + at;
}

}  // namespace wheelwright
