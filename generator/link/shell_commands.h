// A simple parser of shell scripts for the rules: commands, words and options, without functions
// and values of variables.
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

namespace wheelwright {

struct ShellWord {
  std::string text;  // without quotes
  std::size_t offset = 0;
  std::size_t length = 0;
};

// The words of one command up to the end of its line or a separator. Handles quotes, `\` at the end
// of a line, and blanks within expressions. Sets `end` unless it is null.
std::vector<ShellWord> ReadShellWords(std::string_view script, std::size_t at,
                                      std::size_t* end = nullptr);

struct ShellCommand {
  std::string_view text;
  std::vector<ShellWord> words;

  // Whether these words occur in sequence: `sudo gh pr checkout`.
  bool Has(std::initializer_list<std::string_view> wanted) const;
  // The value of one of the options, or `otherwise`.
  std::string_view OptionOf(std::initializer_list<std::string_view> options,
                            std::string_view otherwise) const;
  // Whether it is git with a subcommand that fetches commits or files.
  bool TakesCode() const;
  // Whether it runs a file: an interpreter with a file, a program by its path, an installer, or a
  // write of a file to the environment of later steps.
  bool RunsFile() const;
};

std::vector<ShellCommand> ShellCommands(std::string_view script);

}  // namespace wheelwright
