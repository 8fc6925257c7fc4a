// GitHub's rules for values: conversion to numbers and text, and loose comparison
// (https://docs.github.com/actions/reference/workflows-and-actions/expressions#operators).
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "generator/yaml/node.h"

namespace wheelwright {

// False for null, false, 0, and the empty string; true for the rest.
bool IsTruthy(const Node& value);

// The text of a scalar within a longer text: numbers and booleans as GitHub prints them. Nothing
// for null and collections.
std::optional<std::string> TextOf(const Node& value);
// Appends it. False for null and collections.
bool AppendText(const Node& value, std::string& text);

// A number in one of the forms of a literal: 12, -1.5, .5, 1e3, 0xff, 0o17, Infinity, -Infinity.
std::optional<double> ParseNumber(std::string_view text);

// At most 15 significant digits, as GitHub's runner prints numbers: "3.1", "1E+20", "Infinity".
std::string FormatNumber(double number);

// The number of a value in comparisons of different types: null, false and "" are 0, true is 1,
// text is parsed as a number, the rest is NaN.
double ToNumber(const Node& value);

enum class Order { kLess, kEqual, kGreater, kNone };

// Compares two scalars. Text ignores the case of ASCII letters; values of different types are
// compared as numbers; NaN has no order. A collection has no order and equals only itself.
Order Compare(const Node& a, const Node& b);

}  // namespace wheelwright
