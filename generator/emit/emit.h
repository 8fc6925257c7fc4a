// Nodes to YAML text, in one fixed form.
//
// LF, two spaces, block style, literal blocks for text of several lines, quotes only where
// YAML 1.2, YAML 1.1 or GitHub's parser would read something else. Nothing is ever folded. Reading
// the text again gives the same tree (a property that the tests check).
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "generator/yaml/node.h"

namespace wheelwright {

// Which node a line of the text came from: the deepest one that starts on it. For `explain`.
struct LineOrigin {
  std::uint32_t line = 0;      // from 1
  const Node* node = nullptr;  // a value: entry value or sequence item
  const Node* key = nullptr;   // its key, when it is a mapping's entry
};

struct EmitOptions {
  std::string_view header;  // comment lines with '#', each ended by a line feed; may be empty
  std::span<const std::string_view> comments_end;
  std::vector<LineOrigin>* lines = nullptr;  // filled when given, in line order
};

std::string EmitYaml(const Node& root, const EmitOptions& options);

}  // namespace wheelwright
