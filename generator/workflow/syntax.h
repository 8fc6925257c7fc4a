// GitHub's workflow syntax: which keys stand where and what their values may be.
//
// Source: the schema of GitHub's own parser
// (https://github.com/actions/runner/blob/main/src/Sdk/WorkflowParser/workflow-v1.0.json) and
// https://docs.github.com/actions/reference/workflows-and-actions/workflow-syntax, with what was
// added in 2026: `concurrency.queue`, `schedule[].timezone`, the newer permissions, `snapshot`,
// `background` steps and those that steer them (`wait`, `wait-all`, `cancel`, `parallel`). That
// what GitHub publishes is all here is tested (tests/python/test_lint.py).
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "base/diagnostic.h"
#include "generator/workflow/model.h"

namespace wheelwright {

// Kinds of value a key may have, as bits.
using Kinds = std::uint16_t;
inline constexpr Kinds kText = 1;          // any scalar: GitHub makes a string of it
inline constexpr Kinds kNonEmpty = 2;      // a scalar that is not empty
inline constexpr Kinds kBoolean = 4;       // true, false; not "true"
inline constexpr Kinds kNumber = 8;        // 5; not "5"
inline constexpr Kinds kNothing = 16;      // no value
inline constexpr Kinds kList = 32;         // a list of what `item` says
inline constexpr Kinds kMap = 64;          // a mapping of what `below` says
inline constexpr Kinds kExpression = 128;  // a whole `${{ }}` in place of any of these

struct SyntaxLevel;

// A key with its legal values.
struct SyntaxKey {
  std::string_view name;
  Kinds kinds = 0;
  const SyntaxLevel* below =
      nullptr;     // of a mapping, or of each mapping in the list; null: anything
  Kinds item = 0;  // kinds of the items of a list; 0: anything
  bool required = false;
};

// A mapping with its legal keys.
struct SyntaxLevel {
  std::string_view what;  // "a step", for messages
  std::span<const SyntaxKey> keys;
  const SyntaxKey* others = nullptr;  // rule of keys that users name; null: there are none
};

// The levels that start at the keys of that name; "jobs" leaves out what the level of a job says.
const SyntaxLevel& WorkflowSyntax();
const SyntaxLevel& JobSyntax();   // a job with steps
const SyntaxLevel& CallSyntax();  // a job that calls a workflow
// The level for the step's kind: `run`, `uses`, `wait`, `wait-all`, `cancel` or `parallel`. For a
// step of no kind, or of two, all of them together.
const SyntaxLevel& StepSyntax(const WorkflowStep& step);

// An event that may trigger a workflow.
struct EventSyntax {
  std::string_view name;
  std::string_view
      types;  // activity types, separated by blanks; "" when it has none, "*" when free
  std::string_view filters;  // "branches paths": names of the other keys, separated by blanks
};
std::span<const EventSyntax> Events();
const EventSyntax* FindEventSyntax(std::string_view name);

// Reports whatever in one file GitHub's parser would refuse, apart from what stands in expressions:
// unknown and missing keys, wrong kinds, ids, events, cron lines, permissions, shells, forms of
// `uses`.
void CheckSyntax(const Workflow& workflow, Diagnostics& diagnostics);

// What is wrong with the id of a job or step, or "": letters, digits, '-' and '_', not starting
// with a digit,
// '-' or "__", shorter than 100 characters.
std::string IdProblem(std::string_view id);

}  // namespace wheelwright
