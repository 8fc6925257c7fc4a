// Values as JSON text and back.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "base/arena.h"
#include "generator/yaml/node.h"

namespace wheelwright {

// As toJSON() prints it: two blanks of indentation, mappings in their order, numbers as GitHub
// prints them. Nothing when it would be longer than `limit` bytes.
std::optional<std::string> ToJson(const Node& value, std::size_t limit);

// A string with its quotes. `text` must be UTF-8, which all text of the matrix and of templates is.
void AppendJsonString(std::string& out, std::string_view text);

struct JsonValue {
  const Node* value = nullptr;  // null when there is an error
  std::string message;
};

// Reads JSON. Refuses what a value could not be afterwards: a key that stands twice in an object,
// and nesting deeper than 100.
JsonValue FromJson(std::string_view text, Arena& arena);

}  // namespace wheelwright
