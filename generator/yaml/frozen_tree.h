// A tree in a tenth of its memory, for many files of which each is needed again for a short time.
// Making nodes of it is far faster than reading the text again.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "base/arena.h"
#include "base/source.h"
#include "generator/yaml/node.h"

namespace wheelwright {

class FrozenTree {
 public:
  FrozenTree() = default;
  // Of a tree as ReadYaml() makes it from this text: `origin` and `scope` are not kept, and nodes
  // of an alias become nodes of their own.
  FrozenTree(const Node& root, std::string_view source);

  bool empty() const { return bytes_.empty(); }
  std::size_t size() const { return bytes_.size(); }  // in bytes
  // The same tree. Texts point into `source` and this object, comments into the arena too.
  const Node* Thaw(FileId file, std::string_view source, Arena& arena) const;

 private:
  std::string bytes_;
};

}  // namespace wheelwright
