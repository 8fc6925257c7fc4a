// Completion of a program's command line in shells, from its table of commands.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "cli/command.h"
#include "cli/program.h"

namespace wheelwright {

// Shell code that completes the command line of the program; users source it. Needs bash 4, zsh 5
// or fish 3, and nothing else.
std::string BashCompletion(const Program& program);
std::string ZshCompletion(const Program& program);
std::string FishCompletion(const Program& program);

// What completion offers at one place.
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

// The first words of all command names, each once, in the order of the table, and `help`.
std::vector<std::string_view> FirstWords(const Program& program);
// Describes a first word: the purpose of the command, or the second words that may follow.
std::string PurposeOf(const Program& program, std::string_view first);
// The commands whose names are two words.
std::vector<std::string_view> LongNames(const Program& program);

}  // namespace wheelwright
