// Finds the source place of a part of a scalar's text, which differs from the source by quotes,
// escapes, indentation and interpolation.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "base/source.h"
#include "generator/yaml/node.h"

namespace wheelwright {

// Caches the places of the last scalar, so that many places in one script take linear time in
// total. Scalars must outlive this object.
class TextPlaces {
 public:
  explicit TextPlaces(const SourceManager& sources) : sources_(sources) {}

  // The place of `length` bytes at `offset` of the text, up to the end of their line; or the whole
  // scalar if the source is different.
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
  bool same_ = false;            // text and source are equal
  bool ended_ = false;           // there are no more anchors
  std::vector<Anchor> anchors_;  // in order
};

}  // namespace wheelwright
