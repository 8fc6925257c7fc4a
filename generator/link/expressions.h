// Checks every `${{ }}` of a workflow: syntax, names and types, availability of contexts, and
// script injection.
#pragma once

#include "base/diagnostic.h"
#include "base/source.h"
#include "generator/link/local_actions.h"
#include "generator/link/programs.h"
#include "generator/workflow/interface.h"
#include "generator/workflow/model.h"

namespace wheelwright {

struct ExpressionOptions {
  const SourceManager& sources;
  // The interfaces of called workflows. Unknown ones may have any output.
  const InterfaceSet& interfaces;
  // Any expression in a script is an error, not only untrusted ones.
  bool strict_scripts = true;
  // Reading an input that only one of workflow_call and workflow_dispatch declares is an error.
  bool both_sides = true;
  // What is known of actions; may be null.
  const LocalActions* actions = nullptr;
  const KnownActions* known = nullptr;
  // Outputs that an action does not declare are a likely mistake only: those in JavaScript write
  // what they want.
  bool lax_outputs = false;
  const Programs* programs = nullptr;  // null: none
};

// Codes: expression-syntax, expression-not-allowed, unknown-context, context-not-available,
// unknown-property, unknown-function, function-not-available, function-arguments, expression-type,
// undeclared-input, undeclared-secret, undeclared-output, unknown-job, unknown-need, unknown-step,
// unknown-matrix-key, script-injection, expression-in-script.
void CheckExpressions(const Workflow& workflow, const ExpressionOptions& options,
                      Diagnostics& diagnostics);

}  // namespace wheelwright
