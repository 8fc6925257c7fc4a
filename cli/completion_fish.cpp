#include <fmt/format.h>

#include <algorithm>

#include "cli/completion.h"

namespace wheelwright {
namespace {

std::string Quote(std::string_view text) {
  std::string out = "'";
  for (const char c : text) {
    if (c == '\'' || c == '\\') out += '\\';
    out += c;
  }
  return out + "'";
}

// The options of `complete` for this offer. -x or -r: the option requires a value.
std::string Words(const Offer& offer, bool of_option) {
  switch (offer.kind) {
    case Offer::Kind::kWords:
      return fmt::format("{}-a {}", of_option ? "-x " : "",
                         Quote(fmt::format("{}", fmt::join(offer.words, " "))));
    case Offer::Kind::kFiles:
      return of_option ? "-r -F" : "-F";
    case Offer::Kind::kFolders:
      return fmt::format("{}-a '(__fish_complete_directories)'", of_option ? "-x " : "");
    case Offer::Kind::kNothing:
      break;
  }
  return of_option ? "-x" : "";
}

}  // namespace

std::string FishCompletion(const Program& program) {
  std::string out = fmt::format(
      "# Completes command lines of {0} in fish: a file of ~/.config/fish/completions\n"
      "# Whether the words behind the program's name are these and no others.\n"
      "function __{0}_exactly\n"
      "    set -l words (commandline -opc)\n"
      "    test \"$words[2..-1]\" = \"$argv\"\n"
      "end\n"
      "# Whether they begin with these.\n"
      "function __{0}_at\n"
      "    set -l words (commandline -opc)\n"
      "    set -l last (math (count $argv) + 1)\n"
      "    test (count $words) -ge $last; and test \"$words[2..$last]\" = \"$argv\"\n"
      "end\n"
      "complete -c {0} -e\n"
      "complete -c {0} -f\n"
      "complete -c {0} -n '__{0}_exactly' -s h -l help -d 'Print the commands'\n"
      "complete -c {0} -n '__{0}_exactly' -s V -l version -d 'Print the version'\n",
      program.name);
  const auto add = [&](std::string_view condition, std::string_view rest, std::string_view says) {
    out += fmt::format("complete -c {0} -n '{1}' {2} -d {3}\n", program.name, condition, rest,
                       Quote(says));
  };
  const std::string start = fmt::format("__{0}_exactly; or __{0}_exactly help", program.name);
  for (const std::string_view first : FirstWords(program)) {
    add(start, fmt::format("-a {}", first), PurposeOf(program, first));
  }
  for (const Topic& topic : program.topics) {
    add(fmt::format("__{}_exactly help", program.name), fmt::format("-a {}", topic.name),
        topic.says);
  }
  for (const Command& command : program.commands) {
    const std::size_t blank = command.name.find(' ');
    std::string here = fmt::format("__{}_at {}", program.name, command.name);
    if (blank != std::string_view::npos) {
      const std::string_view first = command.name.substr(0, blank);
      add(fmt::format("__{0}_exactly {1}; or __{0}_exactly help {1}", program.name, first),
          fmt::format("-a {}", command.name.substr(blank + 1)), command.purpose);
    } else {
      // A command may be the first word of others.
      for (const std::string_view second : SecondWords(program, command.name)) {
        here += fmt::format("; and not __{}_at {} {}", program.name, command.name, second);
      }
    }
    for (const OptionSpec& option : AllOptions(command)) {
      std::string rest = fmt::format("{}-l {}", option.name == "help" ? "-s h " : "", option.name);
      if (!option.argument.empty()) rest += fmt::format(" {}", Words(OfferOf(option), true));
      add(here, rest, option.help);
    }
    const std::string words = Words(OfferOf(command), false);
    if (!words.empty()) {
      out += fmt::format("complete -c {} -n '{}' {}\n", program.name, here, words);
    }
  }
  return out;
}

}  // namespace wheelwright
