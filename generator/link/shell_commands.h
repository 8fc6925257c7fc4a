// The commands of a script, as far as rules need them: words, options, and the program that is run.
// Functions and the values of variables are not known.
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

// The words of one command, up to the end of its line or a separator. Knows quotes, `\` at the end
// of a line, and that an expression may hold blanks. `end`, if given, is where it ends.
std::vector<ShellWord> ReadShellWords(std::string_view script, std::size_t at,
                                      std::size_t* end = nullptr);

struct ShellCommand {
  std::string_view text;
  std::vector<ShellWord> words;

  // Whether these words follow each other, from any place on: `sudo gh pr checkout`.
  bool Has(std::initializer_list<std::string_view> wanted) const;
  // The value behind one of the options, or `otherwise`.
  std::string_view OptionOf(std::initializer_list<std::string_view> options,
                            std::string_view otherwise) const;
  // git, and a subcommand that brings commits or files.
  bool TakesCode() const;
  // An interpreter with a file, a program by its path, an installer, or a write of a file's content
  // to the environment of later steps.
  bool RunsFile() const;
};

std::vector<ShellCommand> ShellCommands(std::string_view script);

}  // namespace wheelwright
