// Values as JSON text and back.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "base/arena.h"
#include "generator/yaml/node.h"

namespace wheelwright {

// The output of toJSON(): indented by two blanks, mappings in order, numbers as GitHub prints them.
// Nothing when it is longer than `limit` bytes.
std::optional<std::string> ToJson(const Node& value, std::size_t limit);

struct JsonValue {
  const Node* value = nullptr;  // null when there is an error
  std::string message;
};

// Reads JSON. Refuses duplicate keys in an object, and nesting deeper than 100.
JsonValue FromJson(std::string_view text, Arena& arena);

}  // namespace wheelwright
