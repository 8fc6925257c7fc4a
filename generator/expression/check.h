// Errors of `$[[ ]]` expressions that do not depend on values.
#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "generator/expression/ast.h"
#include "generator/expression/parse.h"

namespace wheelwright {

// The error for a kName that is not in `visible`, with the nearest of them.
ExpressionError UnknownName(const Expr& name, std::span<const std::string_view> visible);

// The error of a kCall: an unknown function, or a wrong number of arguments.
std::optional<ExpressionError> CheckCall(const Expr& call);

}  // namespace wheelwright
