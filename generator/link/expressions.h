// Checks every `${{ }}` of a workflow: that it is an expression, that what it names exists and is
// known where it stands, and that it does not let a stranger write a script.
#pragma once

#include "base/diagnostic.h"
#include "base/source.h"
#include "generator/workflow/interface.h"
#include "generator/workflow/model.h"

namespace wheelwright {

struct ExpressionOptions {
  const SourceManager& sources;
  // What called workflows give. One that is not in the set may have any output.
  const InterfaceSet& interfaces;
  // Any expression in a script is an error, not just one that a stranger controls.
  bool strict_scripts = true;
  // An input that just one of workflow_call and workflow_dispatch declares is an error where it is
  // read.
  bool both_sides = true;
};

// Codes: expression-syntax, expression-not-allowed, unknown-context, context-not-available,
// unknown-property, unknown-function, function-not-available, function-arguments, expression-type,
// undeclared-input, undeclared-secret, undeclared-output, unknown-job, unknown-need, unknown-step,
// unknown-matrix-key, script-injection, expression-in-script.
void CheckExpressions(const Workflow& workflow, const ExpressionOptions& options,
                      Diagnostics& diagnostics);

}  // namespace wheelwright
