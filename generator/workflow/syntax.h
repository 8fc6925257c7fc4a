// GitHub's workflow syntax: keys and their allowed values.
//
// Source: the schema of GitHub's own parser
// (https://github.com/actions/runner/blob/main/src/Sdk/WorkflowParser/workflow-v1.0.json) and
// https://docs.github.com/actions/reference/workflows-and-actions/workflow-syntax, with the
// additions of 2026: `concurrency.queue`, `schedule[].timezone`, the newer permissions, `snapshot`,
// `background` steps and those that control them (`wait`, `wait-all`, `cancel`, `parallel`).
// A test checks that everything that GitHub publishes is here.
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
inline constexpr Kinds kText = 1;          // any scalar, which GitHub converts to a string
inline constexpr Kinds kNonEmpty = 2;      // a scalar that is not empty
inline constexpr Kinds kBoolean = 4;       // true, false; not "true"
inline constexpr Kinds kNumber = 8;        // 5; not "5"
inline constexpr Kinds kNothing = 16;      // no value
inline constexpr Kinds kList = 32;         // a list of `item`
inline constexpr Kinds kMap = 64;          // a mapping of `below`
inline constexpr Kinds kExpression = 128;  // a whole `${{ }}` instead of any of these

struct SyntaxLevel;

// A key with its legal values.
struct SyntaxKey {
  std::string_view name;
  Kinds kinds = 0;
  const SyntaxLevel* below =
      nullptr;     // of a mapping, or of each mapping in the list; null: anything
  Kinds item = 0;  // kinds of the items of a list; 0: anything
  bool required = false;
  std::string_view values = {};  // all that it may be, separated by blanks; empty: anything
};

// A mapping with its legal keys.
struct SyntaxLevel {
  std::string_view what;  // "a step", for messages
  std::span<const SyntaxKey> keys;
  const SyntaxKey* others = nullptr;  // the rule for user-defined keys; null: none
};

// The syntax of a workflow (without the inside of jobs), of a job and of a call.
const SyntaxLevel& WorkflowSyntax();
const SyntaxLevel& JobSyntax();   // a job with steps
const SyntaxLevel& CallSyntax();  // a job that calls a workflow
// The level for the step's kind: `run`, `uses`, `wait`, `wait-all`, `cancel` or `parallel`; for a
// step with none or two of these, all keys together.
const SyntaxLevel& StepSyntax(const WorkflowStep& step);

// An event that may trigger a workflow.
struct EventSyntax {
  std::string_view name;
  std::string_view types;    // activity types, separated by blanks; "": none, "*": any
  std::string_view filters;  // "branches paths": the other keys, separated by blanks
};
std::span<const EventSyntax> Events();
const EventSyntax* FindEventSyntax(std::string_view name);

// Reports everything in a file that GitHub's parser would refuse, except for expressions: unknown
// and missing keys, wrong kinds, ids, events, cron lines, permissions, shells, forms of `uses`.
void CheckSyntax(const Workflow& workflow, Diagnostics& diagnostics);

// The problem of the id of a job or step, or "". An id has letters, digits, '-' and '_', not
// starting with a digit, '-' or "__", shorter than 100 characters.
std::string IdProblem(std::string_view id);

}  // namespace wheelwright
