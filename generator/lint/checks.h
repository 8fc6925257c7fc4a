// The rules that are lint's alone, each group in a file of its name. What GitHub checks by itself,
// and what needs the set of files, is in generator/link.
#pragma once

#include <string>
#include <string_view>
#include <utility>

#include "generator/link/local_actions.h"
#include "generator/lint/configuration.h"
#include "generator/lint/linter.h"
#include "generator/workflow/report.h"

namespace wheelwright {

// What every rule of one workflow works on.
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

// Labels of runs-on, and shells that their systems lack.
void CheckRunners(const Checking& checking);
// Patterns of branches, tags and paths.
void CheckGlobs(const Checking& checking);
// Schedules, names of variables, inputs, concurrency, versions of actions.
void CheckDetails(const Checking& checking);
// An action.yml: what it has to hold.
void CheckAction(const Node& root, Diagnostics& diagnostics);
// What steps give to actions of the same repository.
void CheckLocalUses(const Checking& checking, const LocalActions& actions);
// Anchors of YAML that nothing names.
void CheckAnchors(const Checking& checking);

}  // namespace wheelwright
