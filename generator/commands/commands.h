// The commands of the program: one table, and the way from a command line into it.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "generator/commands/command.h"
#include "generator/commands/environment.h"

namespace wheelwright {

// In the order of the help.
std::span<const Command> AllCommands();

// Each in a file of its name.
Command GenerateCommand();
Command CheckCommand();
Command PlanCommand();
Command SelectCommand();
Command ExplainCommand();
Command LintCommand();
Command GraphCommand();
Command SchemaCommand();
Command PinsCommand();

// Runs what stood behind the program's name. Gives the exit status; lets no exception out.
int RunProgram(std::span<const std::string> words, Environment& environment);

// What `wheelwright help` and `wheelwright help COMMAND` print.
std::string Overview();
std::string HelpOf(const Command& command);

// docs/cli-reference.md.
std::string CliReference();

}  // namespace wheelwright
