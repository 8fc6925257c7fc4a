// What an expression may give, and under which condition, as far as inputs and the event decide.
//
// Written for questions where a false yes is safe and a false no is not: whatever is not understood
// may give anything, always.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/arena.h"
#include "generator/expression/ast.h"
#include "generator/workflow/model.h"

namespace wheelwright {

// What must be so for a value to be used. Where several things must be so one of them is kept, so a
// condition may hold where the value is not used, never the other way round.
struct Condition {
  enum class Kind : std::uint8_t {
    kAlways,
    kEvent,       // the event that started the run is `name`
    kInputIs,     // the input `name` equals `value`
    kInputGiven,  // the input `name` is true, or a text that is not empty
  };
  Kind kind = Kind::kAlways;
  std::string name;   // of an input in lower case
  std::string value;  // in lower case: GitHub compares texts so

  static Condition Event(std::string_view name);
  static Condition InputIs(std::string_view input, std::string_view value);
  static Condition InputGiven(std::string_view input);

  bool always() const { return kind == Kind::kAlways; }
  friend auto operator<=>(const Condition&, const Condition&) = default;
};

// Where both must hold.
Condition Both(Condition a, Condition b);

// "inputs.release_type == 'dev'", or "" for a condition that always holds.
std::string Describe(const Condition& condition);

struct PossibleValue {
  enum class Kind : std::uint8_t {
    kLiteral,  // `text`
    kInput,    // whatever the input `text` holds
    kUnknown,  // anything
    kMention,  // no value of the expression, but a text that stands in it, say in a comparison
  };
  Kind kind = Kind::kUnknown;
  Condition when;
  std::string text;         // of kInput in lower case
  std::uint32_t begin = 0;  // of a text: where it is written, in bytes from the expression's start
  std::uint32_t end = 0;
};

// Understood are `a && b || c`, comparisons of inputs and of github.event_name with texts,
// `inputs.x`, and a table: fromJSON('{"dev": "..."}')[inputs.x].
std::vector<PossibleValue> PossibleValuesOf(const Expr& expression);

// What must be so for the expression to be true.
Condition ConditionOf(const Expr& expression);
// The same of the value of an `if` of the workflow, with brackets or without.
Condition ConditionOfField(const Field& field, const Workflow& workflow);

// Whether an input of that type that holds `text` equals the other text for GitHub: booleans and
// numbers are compared as numbers, and then '', ' ' and '0' are all 0.
bool InputEquals(InputType type, std::string_view text, std::string_view other);

}  // namespace wheelwright
