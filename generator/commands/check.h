#pragma once

#include <string>

#include "cli/environment.h"
#include "generator/commands/project_run.h"

namespace wheelwright {

struct CheckOptions {
  CommonOptions common;
  std::string out;   // empty: the folder of the settings
  bool all = false;  // every diff, however long
};

// Says what differs between the folder of generated files and what the matrix and templates give.
int Check(const CheckOptions& options, Environment& environment);

}  // namespace wheelwright
