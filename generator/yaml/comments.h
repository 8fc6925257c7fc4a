// Attaches each comment of a file to its mapping key or sequence item.
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

// The reader calls the Add functions in the order of the text.
class CommentPlaces {
 public:
  CommentPlaces(std::string_view text, Arena& arena) : text_(text), arena_(arena) {}

  // A key or an item.
  void AddPoint(Node* node, std::size_t at) {
    last_point_ = node;
    marks_.push_back({at, node, true});
  }
  // A bracket was closed before `at`: comments behind it belong to `node`, or to nothing if it is
  // null.
  void AddClosing(Node* node, std::size_t at) { marks_.push_back({at, node, false}); }
  // A quoted or block scalar, in which '#' is text.
  void AddScalar(std::size_t begin, std::size_t end) { scalars_.emplace_back(begin, end); }

  // The last key or item, or null.
  Node* LastPoint() const { return last_point_; }

  // Attaches all comments. Returns those behind the last node.
  std::span<const std::string_view> Attach();

 private:
  struct Mark {
    std::size_t offset;
    Node* node;
    bool is_point;
  };
  // A comment behind a lone dash belongs to the item that follows.
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
