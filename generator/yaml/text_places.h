// Where parts of a scalar's text stand in the source: quotes, escapes, indentation and
// interpolation make the two differ.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "base/source.h"
#include "generator/yaml/node.h"

namespace wheelwright {

// Remembers what it learnt of the last scalar, so that thousands of places in one script are found
// in time by the script's size. A scalar must live as long as an object that was asked about it.
class TextPlaces {
 public:
  explicit TextPlaces(const SourceManager& sources) : sources_(sources) {}

  // The place of `length` bytes at `offset` of the text, up to the end of their line, or the whole
  // scalar where they are not written like that.
  SourceRange Locate(const Node& scalar, std::size_t offset, std::size_t length);

 private:
  // A place in the text and the same place in the source.
  struct Anchor {
    std::size_t text = 0;
    std::size_t written = 0;
  };

  void Begin(const Node& scalar);
  void AddAnchors(std::size_t offset);
  std::size_t Find(const Anchor& from, std::size_t offset, std::string_view words) const;

  const SourceManager& sources_;
  const Node* scalar_ = nullptr;
  std::string_view written_;
  bool same_ = false;            // text and source do not differ
  bool ended_ = false;           // no more anchors are found
  std::vector<Anchor> anchors_;  // in order
};

}  // namespace wheelwright
