// Computes `$[[ ]]` expressions.
#pragma once

#include <optional>

#include "base/arena.h"
#include "generator/expression/ast.h"
#include "generator/expression/parse.h"
#include "generator/expression/scope.h"

namespace wheelwright {

struct Evaluated {
  const Node* value = nullptr;  // null when there is an error
  std::optional<ExpressionError> error;
};

// Follows GitHub's rules: comparison of strings ignores case, values of different types are compared as
// numbers, `&&` and `||` give an operand. Differences, so that a slip is never silent: an unknown name or
// property is an error (with the nearest name), and so are an index out of range and a list compared with `==`.
//
// A value that comes from the matrix unchanged is given as the very node, so its place stays known.
Evaluated Evaluate(const Expr& expression, const Scope* scope, Arena& arena);

// False for null, false, 0, and the empty string; true for the rest.
bool IsTruthy(const Node& value);

// A scalar's text as joined into a longer text: numbers and booleans as GitHub prints them. Nothing for
// null and for collections, which have no text.
std::optional<std::string> TextOf(const Node& value);

}  // namespace wheelwright
