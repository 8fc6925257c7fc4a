#pragma once

#include <string>
#include <vector>

#include "cli/environment.h"
#include "generator/commands/session.h"

namespace wheelwright {

struct LintOptions {
  CommonOptions common;
  std::vector<std::string> files;  // paths of files and folders, "-" for stdin; empty: the project
  std::string stdin_name = "<stdin>";
  bool strict = false;  // the rules for generated files
};

// Prints what the link checks find in workflow files, or in the generated set.
int Lint(const LintOptions& options, Environment& environment);

}  // namespace wheelwright
