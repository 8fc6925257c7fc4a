// Diagnostics that stand at a node of a workflow.
#pragma once

#include <string>
#include <string_view>

#include "base/diagnostic.h"
#include "generator/yaml/node.h"

namespace wheelwright {

// A diagnostic at the node's place, with the instance it was expanded for. `node` may be null, for
// what has no place.
Diagnostic At(const Node* node, std::string_view code, std::string message, std::string hint = {});

// Whether a scalar holds an expression of GitHub's.
inline bool HoldsExpression(std::string_view text) {
  return text.find("${{") != std::string_view::npos;
}

// Whether a quoted string would be what is wanted without its quotes: "true", "30".
bool NeedsNoQuotes(const Node& value, NodeKind wanted);

}  // namespace wheelwright
