#pragma once

#include <string>
#include <vector>

#include "cli/environment.h"
#include "generator/commands/project_run.h"
#include "generator/output/folder.h"

namespace wheelwright {

struct GenerateOptions {
  CommonOptions common;
  std::string out;                // empty: the folder of the settings
  std::vector<std::string> only;  // globs of file names; empty: all
  bool dry_run = false;
};

// Brings the folder of generated files up to date, or says what would be done.
int Generate(const GenerateOptions& options, Environment& environment);

// "generated-workflows/: 3 written, 1 removed, 27 current", and a line feed. With `dry_run`, what
// would be done.
std::string DescribeApplied(const std::string& folder, const Difference& difference, bool dry_run);

}  // namespace wheelwright
