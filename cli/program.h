// A program as a table of commands, and the way from a command line into it. Both programs are one.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostic.h"
#include "cli/command.h"
#include "cli/environment.h"

namespace wheelwright {

struct ExitStatus {
  int status;
  std::string_view means;
};

// A longer text that `help` prints.
struct Topic {
  std::string_view name;  // "matrix"
  std::string_view says;  // "What may stand in the files of matrix/"
  std::string (*text)(Environment&) = nullptr;
};

struct Program {
  std::string_view name;
  std::string_view version;
  std::string_view purpose;           // a sentence
  std::span<const Command> commands;  // in the order of the help
  std::vector<Topic> topics;
  std::vector<ExitStatus> statuses;
  std::string_view reference_note;  // stands on the reference page, in sentences
  // An option with an empty value counts as not given: jobs pass on inputs that may be empty.
  bool empty_is_absent = false;
};

// Runs what stood behind the program's name. Gives the exit status; lets no exception out. `host`
// is what commands with `run_on_host` get.
int RunProgram(const Program& program, std::span<const std::string> words, Environment& environment,
               Host* host = nullptr);

// What `help` and `help COMMAND` print.
std::string Overview(const Program& program);
std::string HelpOf(const Program& program, const Command& command);

// The page in docs/ with all commands.
std::string ReferencePage(const Program& program);

// Words that may follow `first` in the name of a command.
std::vector<std::string_view> SecondWords(const Program& program, std::string_view first);

// The commands that both programs have: `version`, and `completion`, of which cli/completion.h says
// more. The table of a program gives what runs them, since they print what that table holds.
using CommandFunction = int (*)(const Arguments& arguments, Environment& environment);
Command VersionCommand(std::string_view program, CommandFunction run);
int PrintVersion(const Program& program, Environment& environment);
Command CompletionCommand(std::string_view program, CommandFunction run);
int PrintCompletion(const Program& program, const Arguments& arguments, Environment& environment);

// Options that each command takes, and those of a command with them.
std::span<const OptionSpec> CommonOptionSpecs();
std::vector<OptionSpec> AllOptions(const Command& command);

// Reads what stood behind the command's name. Reports unknown options, values that are missing or
// wrong, and arguments that nobody takes; returns nothing then. `--help` is an option like others.
std::optional<Arguments> ReadArguments(const Program& program, const Command& command,
                                       std::span<const std::string> words,
                                       Diagnostics& diagnostics);

// "wheelwright generate [--out DIR] [--only NAME]... [--dry-run]".
std::string UsageOf(const Program& program, const Command& command);

}  // namespace wheelwright
