// The commands of wheelwright.
#pragma once

#include "cli/program.h"

namespace wheelwright {

// Each in a file of its name.
Command InitCommand();
Command ImportCommand();
Command GenerateCommand();
Command CheckCommand();
Command PlanCommand();
Command SelectCommand();
Command ExplainCommand();
Command LintCommand();
Command LspCommand();
Command GraphCommand();
Command SchemaCommand();
Command PinsCommand();
Command ActionsCommand();
Command FetchCommand();

// The reference page of the tables of the project around; outside of projects, of the built-in
// ones.
std::string ProjectReference(Environment& environment);

const Program& Wheelwright();

}  // namespace wheelwright
