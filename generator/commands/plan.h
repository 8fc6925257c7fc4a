#pragma once

#include <string>

#include "cli/environment.h"
#include "generator/commands/project_run.h"
#include "generator/plan/report.h"

namespace wheelwright {

struct PlanCommandOptions {
  CommonOptions common;
  PlanFormat format = PlanFormat::kTable;
  std::string workflow;  // a glob; empty: all
  bool all_files = false;
  bool each_cell = false;
};

// Prints every cell, in or out and why, and how much of GitHub's limits is used.
int Plan(const PlanCommandOptions& options, Environment& environment);

}  // namespace wheelwright
