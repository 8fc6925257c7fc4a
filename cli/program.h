// A program as a table of commands, and the function that runs a command line. Used by both
// programs.
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
  // What `help` says of a word that is neither a command nor a topic; empty: nothing.
  std::string (*say_of_word)(std::string_view word, const Environment&) = nullptr;
  std::vector<ExitStatus> statuses;
  std::string_view reference_note;  // stands on the reference page, in sentences
  // An option with an empty value counts as not given: jobs pass on inputs that may be empty.
  bool empty_is_absent = false;
  // All variables that it reads, and those that programs read which it starts; * is any text. For
  // `help --json`; empty: it does not tell.
  std::vector<std::string_view> variables = {};
};

// Runs the words after the program's name. Returns the exit status and throws nothing. Commands
// with `run_on_host` get `host`.
int RunProgram(const Program& program, std::span<const std::string> words, Environment& environment,
               Host* host = nullptr);

// The texts of `help` and `help COMMAND`.
std::string Overview(const Program& program);
std::string HelpOf(const Program& program, const Command& command);

// The page in docs/ with all commands.
std::string ReferencePage(const Program& program);

// Words that may follow `first` in the name of a command.
std::vector<std::string_view> SecondWords(const Program& program, std::string_view first);

// The commands that both programs have: `version` and `completion` (see cli/completion.h). Each
// program passes the functions that run them, because they print its own table.
using CommandFunction = int (*)(const Arguments& arguments, Environment& environment);
Command VersionCommand(std::string_view program, CommandFunction run);
int PrintVersion(const Program& program, Environment& environment);
Command CompletionCommand(std::string_view program, CommandFunction run);
int PrintCompletion(const Program& program, const Arguments& arguments, Environment& environment);

// The options of every command, and all options of one command including these.
std::span<const OptionSpec> CommonOptionSpecs();
std::vector<OptionSpec> AllOptions(const Command& command);

// Reads the words after the command's name. Reports unknown options, missing or wrong values and
// surplus arguments; returns nothing then. `--help` is an ordinary option.
std::optional<Arguments> ReadArguments(const Program& program, const Command& command,
                                       std::span<const std::string> words,
                                       Diagnostics& diagnostics);

// "wheelwright generate [--out DIR] [--only NAME]... [--dry-run]".
std::string UsageOf(const Program& program, const Command& command);

}  // namespace wheelwright
