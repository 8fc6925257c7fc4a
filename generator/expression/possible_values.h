// The possible values of an expression, with conditions on inputs and the event.
//
// The result is conservative: an expression that is not understood may have any value, always.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "generator/expression/ast.h"

namespace wheelwright {

// A necessary condition for a value. If there are several, only one is kept, so the condition may
// hold although the value is not used, but never the reverse.
struct Condition {
  enum class Kind : std::uint8_t {
    kAlways,
    kEvent,       // the event that started the run is `name`
    kInputIs,     // the input `name` equals `value`
    kInputGiven,  // the input `name` is true, or a text that is not empty
  };
  Kind kind = Kind::kAlways;
  std::string name;   // of an input in lower case
  std::string value;  // in lower case, as comparisons ignore case

  static Condition Event(std::string_view name);
  static Condition InputIs(std::string_view input, std::string_view value);
  static Condition InputGiven(std::string_view input);

  bool always() const { return kind == Kind::kAlways; }
  friend auto operator<=>(const Condition&, const Condition&) = default;
};

// Both conditions.
Condition Both(Condition a, Condition b);

// "inputs.release_type == 'dev'", or "" for kAlways.
std::string Describe(const Condition& condition);

struct PossibleValue {
  enum class Kind : std::uint8_t {
    kLiteral,  // `text`
    kInput,    // the value of the input `text`
    kUnknown,  // anything
    kMention,  // not a value, but a text that occurs in the expression, such as in a comparison
  };
  Kind kind = Kind::kUnknown;
  Condition when;
  std::string text;         // of kInput in lower case
  std::uint32_t begin = 0;  // the place of a text, in bytes from the expression's start
  std::uint32_t end = 0;
};

// Understands `a && b || c`, comparisons of inputs and github.event_name with texts, `inputs.x`,
// and tables: fromJSON('{"dev": "..."}')[inputs.x].
std::vector<PossibleValue> PossibleValuesOf(const Expr& expression);

// A necessary condition for the expression to be true.
Condition ConditionOf(const Expr& expression);

}  // namespace wheelwright
