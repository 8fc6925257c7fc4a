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
  // For hand-written files: only warns of what GitHub runs. That is what a stranger controls in
  // scripts, outputs that an action does not declare (those in JavaScript write what they want),
  // and keys of a matrix and inputs that nothing declares, which are empty. `matrix.x || y` is
  // written for a key that may be absent.
  bool lax = false;
  const Programs* programs = nullptr;  // null: none
  // The root of an action.yml, of which the workflow was made; null: it is a workflow.
  const Node* action = nullptr;
};

// Codes: expression-syntax, expression-not-allowed, unknown-context, context-not-available,
// unknown-property, unknown-function, function-not-available, function-arguments, expression-type,
// undeclared-input, undeclared-secret, undeclared-output, unknown-job, unknown-need, unknown-step,
// unknown-matrix-key, script-injection, expression-in-script.
void CheckExpressions(const Workflow& workflow, const ExpressionOptions& options,
                      Diagnostics& diagnostics);

}  // namespace wheelwright
