#include "generator/workflow/report.h"

#include <utility>

#include "generator/expression/scope.h"

namespace wheelwright {

Diagnostic At(const Node* node, std::string_view code, std::string message, std::string hint) {
  Diagnostic diagnostic;
  diagnostic.code = code;
  diagnostic.message = std::move(message);
  diagnostic.hint = std::move(hint);
  if (node) {
    diagnostic.where = node->where;
    if (node->scope) diagnostic.instance = DescribeInstance(node->scope);
  }
  return diagnostic;
}

}  // namespace wheelwright
