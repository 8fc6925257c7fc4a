// Evaluates `$[[ ]]` expressions.
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
  std::size_t bytes = 0;  // that it produced, for the limit
};

// Follows GitHub's rules: comparison of strings ignores case, values of different types are
// compared as numbers, `&&` and `||` return an operand. Unlike GitHub, reports errors: an unknown
// name or property (with the nearest name), an index out of range, a list compared with `==`. Names
// and keys are case-sensitive; comparison ignores the case of ASCII letters only. Operands that do
// not matter are not evaluated: `a && a.b`, case(a, a.b, '').
//
// The bytes that one expression may produce are limited.
//
// Returns unchanged values of the matrix as the same nodes, which keeps their places.
Evaluated Evaluate(const Expr& expression, const Scope* scope, Arena& arena);

}  // namespace wheelwright
