// The rules of lint only, each group in a source of its name. generator/link has GitHub's own rules
// and those across files.
#pragma once

#include <string>
#include <string_view>
#include <utility>

#include "generator/link/programs.h"
#include "generator/lint/configuration.h"
#include "generator/lint/linter.h"
#include "generator/workflow/report.h"

namespace wheelwright {

// The input of every rule for one workflow.
struct Checking {
  const Workflow& workflow;
  const SourceManager& sources;
  const LintConfiguration& configuration;
  Diagnostics& diagnostics;

  void Report(Diagnostic diagnostic) const { diagnostics.Report(std::move(diagnostic)); }
  void Warn(Diagnostic diagnostic) const {
    diagnostic.severity = Severity::kWarning;
    diagnostics.Report(std::move(diagnostic));
  }
};

// Labels of runs-on, and shells that their systems do not have.
void CheckRunners(const Checking& checking);
// Patterns of branches, tags and paths.
void CheckGlobs(const Checking& checking);
// Schedules, names of variables, inputs, concurrency, versions of actions.
void CheckDetails(const Checking& checking);
// The keys of an action.yml.
void CheckAction(const Node& root, Diagnostics& diagnostics);
// The rows of a matrix.
void CheckMatrices(const Checking& checking);
// Unused YAML anchors.
void CheckAnchors(const Checking& checking);

}  // namespace wheelwright
