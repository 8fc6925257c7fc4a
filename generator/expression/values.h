// GitHub's rules for values of expressions: conversion to numbers and text, and loose comparison
// (https://docs.github.com/actions/reference/workflows-and-actions/expressions#operators).
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "generator/yaml/node.h"

namespace wheelwright {

// False for null, false, 0, and the empty string; true for the rest.
bool IsTruthy(const Node& value);

// A scalar's text as joined into a longer text: numbers and booleans as GitHub prints them. Nothing
// for null and for collections, which have no text.
std::optional<std::string> TextOf(const Node& value);
// The same behind what `text` holds. False, and nothing appended, for what has no text.
bool AppendText(const Node& value, std::string& text);

// A number in one of the forms of a literal: 12, -1.5, .5, 1e3, 0xff, 0o17, Infinity, -Infinity.
std::optional<double> ParseNumber(std::string_view text);

// With 15 significant digits at most, as GitHub's runner prints numbers: "3.1", "1E+20",
// "Infinity".
std::string FormatNumber(double number);

// The number that a value is taken for when it is compared with one of another type: null, false
// and "" are 0, true is 1, text is read as a number, the rest is NaN.
double ToNumber(const Node& value);

enum class Order { kLess, kEqual, kGreater, kNone };

// Compares two scalars. Text ignores the case of ASCII letters; values of different types are
// compared as numbers; NaN has no order. A collection has no order and equals itself alone.
Order Compare(const Node& a, const Node& b);

}  // namespace wheelwright
