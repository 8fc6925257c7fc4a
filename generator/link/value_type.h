// Types of values that are given to inputs.
#pragma once

#include <cstdint>
#include <string>

#include "generator/workflow/model.h"
#include "generator/yaml/node.h"

namespace wheelwright {

enum class ValueType : std::uint8_t { kUnknown, kString, kBoolean, kNumber };

// The type of a value as the called workflow gets it: of a literal, or of a scalar that is one
// expression as a whole. Text around an expression makes a string of it. kUnknown where only the
// run can tell.
ValueType TypeOfValue(const Node& value, const Workflow& workflow);

// "the string 'x'", "a string expression".
std::string DescribeGiven(const Node& value, ValueType type);

}  // namespace wheelwright
