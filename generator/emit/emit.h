// Emits nodes as YAML in one fixed form.
//
// LF, two spaces, block style, literal blocks for text of several lines, quotes only if YAML 1.2,
// YAML 1.1 or GitHub's parser would read something else. Never folds text. Reading the text gives
// the same tree, which tests check.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "generator/yaml/node.h"

namespace wheelwright {

// The node of a line, for `explain`: the deepest one that starts on it.
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
