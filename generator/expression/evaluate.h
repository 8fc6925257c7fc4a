// Computes `$[[ ]]` expressions.
#pragma once

#include <cstddef>
#include <optional>

#include "base/arena.h"
#include "generator/expression/ast.h"
#include "generator/expression/parse.h"
#include "generator/expression/scope.h"
#include "generator/expression/values.h"

namespace wheelwright {

struct Evaluated {
  const Node* value = nullptr;  // null when there is an error
  std::optional<ExpressionError> error;
  std::size_t bytes = 0;  // that it computed, of what is bounded
};

// Follows GitHub's rules: comparison of strings ignores case, values of different types are
// compared as numbers, `&&` and `||` give an operand. Differences, so that a slip is never silent:
// an unknown name or property is an error (with the nearest name), and so are an index out of range
// and a list compared with `==`. Names and keys mind case; only ASCII letters are compared without
// it. A condition that is not reached is not looked at: `a && a.b`, case(a, a.b, '').
//
// What one expression computes is bounded, in bytes, however its calls are nested.
//
// A value that comes from the matrix unchanged is given as the very node, so its place stays known.
Evaluated Evaluate(const Expr& expression, const Scope* scope, Arena& arena);

}  // namespace wheelwright
