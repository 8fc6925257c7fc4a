#pragma once

#include <string>

#include "cli/environment.h"
#include "generator/commands/project_run.h"

namespace wheelwright {

struct ExplainOptions {
  CommonOptions common;
  std::string target;  // FILE, FILE:LINE, FILE#JOB, JOB or CODE; empty: what can be asked
};

// Prints what is behind a generated file, one of its lines, or a job: the line of the template, the
// rows of the matrix, and the bindings.
int Explain(const ExplainOptions& options, Environment& environment);

}  // namespace wheelwright
