// Completion of a program's command line in shells, from its table of commands.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "cli/command.h"
#include "cli/program.h"

namespace wheelwright {

// Functions of a shell that complete the command line of the program. Whoever sources the text has
// them. bash 4, zsh 5, fish 3, or newer; nothing but the shell is needed.
std::string BashCompletion(const Program& program);
std::string ZshCompletion(const Program& program);
std::string FishCompletion(const Program& program);

// What may stand at one place.
struct Offer {
  enum class Kind : std::uint8_t {
    kNothing,  // a text that no table knows
    kWords,
    kFiles,
    kFolders,
  };
  Kind kind = Kind::kNothing;
  std::vector<std::string_view> words = {};
};

// The value of an option, and an argument of a command.
Offer OfferOf(const OptionSpec& option);
Offer OfferOf(const Command& command);

// Words that a command line may begin with: each once, in the order of the table, and `help`.
std::vector<std::string_view> FirstWords(const Program& program);
// What a first word is for: the purpose of the command, or which second words there are.
std::string PurposeOf(const Program& program, std::string_view first);
// The commands whose names are two words.
std::vector<std::string_view> LongNames(const Program& program);

}  // namespace wheelwright
