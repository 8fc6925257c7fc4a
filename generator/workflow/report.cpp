#include "generator/workflow/report.h"

#include <algorithm>
#include <utility>

#include "base/characters.h"
#include "generator/expression/scope.h"

namespace wheelwright {

Diagnostic At(const Node* node, std::string_view code, std::string message, std::string hint) {
  Diagnostic diagnostic;
  diagnostic.code = code;
  diagnostic.message = std::move(message);
  diagnostic.hint = std::move(hint);
  if (node) {
    diagnostic.where = node->where;
    if (node->scope) AddInstance(node->scope, diagnostic);
  }
  return diagnostic;
}

bool NeedsNoQuotes(const Node& value, NodeKind wanted) {
  if (value.style != NodeStyle::kQuoted || value.text.empty()) return false;
  if (wanted == NodeKind::kBoolean) return value.text == "true" || value.text == "false";
  return wanted == NodeKind::kNumber && std::ranges::all_of(value.text, IsDigit);
}

}  // namespace wheelwright
