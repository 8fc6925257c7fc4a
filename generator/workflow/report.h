// Makes diagnostics at nodes of a workflow.
#pragma once

#include <string>
#include <string_view>

#include "base/diagnostic.h"
#include "generator/yaml/node.h"

namespace wheelwright {

// A diagnostic at the node's place, with the node's instance. `node` may be null: no place.
Diagnostic At(const Node* node, std::string_view code, std::string message, std::string hint = {});

// Whether the text has an expression of GitHub's.
inline bool HoldsExpression(std::string_view text) {
  return text.find("${{") != std::string_view::npos;
}

// Whether a quoted string would have the wanted kind without its quotes: "true", "30".
bool NeedsNoQuotes(const Node& value, NodeKind wanted);

}  // namespace wheelwright
