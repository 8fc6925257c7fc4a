#include "generator/yaml/frozen_tree.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace wheelwright {
namespace {

// The first byte of a node: its kind, then these.
constexpr unsigned kKindBits = 7, kStyleShift = 3;
constexpr unsigned kHasComments = 64, kHasPlace = 128;
// The first byte of comments.
constexpr unsigned kBlankLine = 1, kOfValue = 2;

// Numbers in as many bytes as they need, seven bits each.
class Writer {
 public:
  Writer(std::string_view source, std::string& bytes) : source_(source), bytes_(bytes) {}

  void Add(const Node& node) {
    unsigned tag =
        static_cast<unsigned>(node.kind) | (static_cast<unsigned>(node.style) << kStyleShift);
    if (node.comments != nullptr) tag |= kHasComments;
    if (node.where.known()) tag |= kHasPlace;
    bytes_ += static_cast<char>(tag);
    if (node.where.known()) {
      // Most nodes are a few bytes behind the one before.
      const std::size_t at = node.where.begin.offset;
      Number(at >= last_ ? (at - last_) * 2 : (last_ - at) * 2 - 1);
      Number(node.where.length);
      last_ = at;
    }
    if (node.comments != nullptr) Add(*node.comments);
    if (node.is_scalar()) {
      Text(node.text, node.where.known() ? node.where.begin.offset : source_.size());
    } else if (node.is_sequence()) {
      Number(node.items.size());
      for (const Node* item : node.items) Add(*item);
    } else {
      Number(node.entries.size());
      for (const Entry& entry : node.entries) {
        Add(*entry.key);
        Add(*entry.value);
      }
    }
  }

 private:
  void Add(const Comments& comments) {
    bytes_ += static_cast<char>((comments.blank_line_before ? kBlankLine : 0) |
                                (comments.of_value ? kOfValue : 0));
    Number(comments.above.size());
    for (const std::string_view line : comments.above) Text(line, source_.size());
    Text(comments.trailing, source_.size());
  }

  void Number(std::size_t number) {
    for (; number > 127; number >>= 7) bytes_ += static_cast<char>((number & 127) | 128);
    bytes_ += static_cast<char>(number);
  }

  // As it is at `at` of the source, perhaps behind a quote; or elsewhere in it; or in full.
  void Text(std::string_view text, std::size_t at) {
    for (std::size_t skip = 0; skip < 2; ++skip) {
      if (at + skip + text.size() <= source_.size() &&
          source_.substr(at + skip, text.size()) == text) {
        Number(text.size() * 4 + skip);
        return;
      }
    }
    const bool inside = !text.empty() && text.data() >= source_.data() &&
                        text.data() + text.size() <= source_.data() + source_.size();
    Number(text.size() * 4 + (inside ? 2 : 3));
    if (inside) {
      Number(static_cast<std::size_t>(text.data() - source_.data()));
    } else {
      bytes_ += text;
    }
  }

  std::string_view source_;
  std::string& bytes_;
  std::size_t last_ = 0;
};

class Reader {
 public:
  Reader(std::string_view bytes, FileId file, std::string_view source, Arena& arena)
      : bytes_(bytes), file_(file), source_(source), arena_(arena) {}

  const Node* Read() {
    Node* node = arena_.New<Node>();
    const unsigned tag = Byte();
    node->kind = static_cast<NodeKind>(tag & kKindBits);
    node->style = static_cast<NodeStyle>((tag >> kStyleShift) & kKindBits);
    if ((tag & kHasPlace) != 0) {
      const std::size_t step = Number();
      last_ = step % 2 == 0 ? last_ + step / 2 : last_ - (step + 1) / 2;
      node->where.begin = {file_, static_cast<std::uint32_t>(last_)};
      node->where.length = static_cast<std::uint32_t>(Number());
    }
    const std::size_t at = last_;
    if ((tag & kHasComments) != 0) node->comments = ReadComments();
    if (node->is_scalar()) {
      node->text = Text(at);
    } else if (node->is_sequence()) {
      std::vector<const Node*> items(Number());
      for (const Node*& item : items) item = Read();
      node->items = arena_.Copy(std::span<const Node* const>(items));
    } else {
      std::vector<Entry> entries(Number());
      for (Entry& entry : entries) {
        entry.key = Read();
        entry.value = Read();
      }
      node->entries = arena_.Copy(std::span<const Entry>(entries));
    }
    return node;
  }

 private:
  const Comments* ReadComments() {
    Comments* comments = arena_.New<Comments>();
    const unsigned flags = Byte();
    comments->blank_line_before = (flags & kBlankLine) != 0;
    comments->of_value = (flags & kOfValue) != 0;
    std::vector<std::string_view> above(Number());
    for (std::string_view& line : above) line = Text(0);
    comments->above = arena_.Copy(std::span<const std::string_view>(above));
    comments->trailing = Text(0);
    return comments;
  }

  unsigned Byte() { return static_cast<unsigned char>(bytes_[at_++]); }

  std::size_t Number() {
    std::size_t number = 0;
    for (unsigned shift = 0;; shift += 7) {
      const unsigned byte = Byte();
      number |= static_cast<std::size_t>(byte & 127) << shift;
      if (byte < 128) return number;
    }
  }

  std::string_view Text(std::size_t at) {
    const std::size_t head = Number();
    const std::size_t length = head / 4;
    const std::size_t kind = head % 4;
    if (kind == 2) return source_.substr(Number(), length);
    if (kind < 2) return source_.substr(at + kind, length);
    const std::string_view text = bytes_.substr(at_, length);
    at_ += length;
    return text;
  }

  std::string_view bytes_;
  std::size_t at_ = 0;
  FileId file_;
  std::string_view source_;
  Arena& arena_;
  std::size_t last_ = 0;
};

}  // namespace

FrozenTree::FrozenTree(const Node& root, std::string_view source) {
  Writer(source, bytes_).Add(root);
  bytes_.shrink_to_fit();
}

const Node* FrozenTree::Thaw(FileId file, std::string_view source, Arena& arena) const {
  return Reader(bytes_, file, source, arena).Read();
}

}  // namespace wheelwright
