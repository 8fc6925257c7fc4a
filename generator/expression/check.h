// What is wrong with a `$[[ ]]` expression whatever its values are.
#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "generator/expression/ast.h"
#include "generator/expression/parse.h"

namespace wheelwright {

// For a kName that is none of `visible`: says so, with the nearest of them.
ExpressionError UnknownName(const Expr& name, std::span<const std::string_view> visible);

// For a kCall: a function that templates do not have, or too few or too many arguments.
std::optional<ExpressionError> CheckCall(const Expr& call);

}  // namespace wheelwright
