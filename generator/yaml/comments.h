// Gives each comment of a file to the mapping key or sequence item that it is about.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "base/arena.h"
#include "generator/yaml/node.h"

namespace wheelwright {

// Told of everything in the order of the text, by the reader.
class CommentPlaces {
 public:
  CommentPlaces(std::string_view text, Arena& arena) : text_(text), arena_(arena) {}

  // A key or an item.
  void AddPoint(Node* node, std::size_t at) {
    last_point_ = node;
    marks_.push_back({at, node, true});
  }
  // A bracket was closed before `at`: comments behind it are about `node`, or about nothing when
  // that is null.
  void AddClosing(Node* node, std::size_t at) { marks_.push_back({at, node, false}); }
  // A quoted or block scalar, in which '#' is text.
  void AddScalar(std::size_t begin, std::size_t end) { scalars_.emplace_back(begin, end); }

  // The key or item that was told last, or null.
  Node* LastPoint() const { return last_point_; }

  // Hangs all comments on their nodes. Returns those behind the last node.
  std::span<const std::string_view> Attach();

 private:
  struct Mark {
    std::size_t offset;
    Node* node;
    bool is_point;
  };
  // Behind a dash alone, a comment is about the item that follows.
  enum class CommentPlace : std::uint8_t { kOwnLine, kBehindDash, kTrailing };
  struct Comment {
    std::size_t offset;
    std::string_view text;
    CommentPlace place;
  };

  std::vector<Comment> FindComments() const;
  bool IsBlankBefore(std::size_t line_start) const;
  Comments& MutableComments(Node& node);
  void AddTrailing(Node& node, std::string_view comment);

  std::string_view text_;
  Arena& arena_;
  Node* last_point_ = nullptr;
  std::vector<Mark> marks_;
  std::vector<std::pair<std::size_t, std::size_t>> scalars_;
};

}  // namespace wheelwright
