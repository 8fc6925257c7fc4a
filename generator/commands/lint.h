#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cli/environment.h"
#include "generator/commands/project_run.h"

namespace wheelwright {

// From which findings on the exit status is 1.
enum class FailOn : std::uint8_t { kError, kWarning, kNever };

struct LintOptions {
  CommonOptions common;
  std::vector<std::string> files;  // paths of files and folders, "-" for stdin; empty: the project
  std::string stdin_name = "<stdin>";
  bool strict = false;  // the rules for generated files
  FailOn fail_on = FailOn::kError;
  bool sarif = false;          // in place of common.format
  bool startup = false;        // only what ends a run before its first job
  bool fix = false;            // mend what can be mended, and tell the rest
  std::string configuration;   // its path; empty: .github/wheelwright.yml
  std::string baseline;        // path of findings that are known; empty: none
  std::string write_baseline;  // path to write those of this run to; empty: none
};

// Prints what the link checks find in workflow files, or in the generated set.
int Lint(const LintOptions& options, Environment& environment);

}  // namespace wheelwright
