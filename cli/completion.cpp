#include "cli/completion.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <ostream>
#include <utility>

#include "base/text.h"
#include "cli/terminal.h"

namespace wheelwright {
namespace {

constexpr std::array<std::string_view, 3> kShells{"bash", "zsh", "fish"};

// From the placeholder in the help: "FILE", "DIR|FILE...", "[SOURCE...]".
Offer::Kind KindOf(std::string_view written) {
  for (const std::string_view word : {"FILE", "SOURCE", "PATH"}) {
    if (written.find(word) != std::string_view::npos) return Offer::Kind::kFiles;
  }
  for (const std::string_view word : {"DIR", "FOLDER"}) {
    if (written.find(word) != std::string_view::npos) return Offer::Kind::kFolders;
  }
  return Offer::Kind::kNothing;
}

}  // namespace

Offer OfferOf(const OptionSpec& option) {
  if (!option.values.empty()) return {Offer::Kind::kWords, option.values};
  return {KindOf(option.argument)};
}

Offer OfferOf(const Command& command) {
  if (command.suggested != nullptr) return {Offer::Kind::kWords, command.suggested()};
  if (command.most_positional == 0) return {};
  // Arguments stand before the options.
  return {KindOf(command.usage.substr(0, command.usage.find("--")))};
}

std::vector<std::string_view> FirstWords(const Program& program) {
  std::vector<std::string_view> words;
  for (const Command& command : program.commands) {
    const std::string_view first = command.name.substr(0, command.name.find(' '));
    if (std::ranges::find(words, first) == words.end()) words.push_back(first);
  }
  words.push_back("help");
  return words;
}

std::string PurposeOf(const Program& program, std::string_view first) {
  if (first == "help") return "Its options, with examples";
  const auto found = std::ranges::find(program.commands, first, &Command::name);
  if (found != program.commands.end()) return std::string(found->purpose);
  return fmt::format("{}", fmt::join(SecondWords(program, first), ", "));
}

std::vector<std::string_view> LongNames(const Program& program) {
  std::vector<std::string_view> names;
  for (const Command& command : program.commands) {
    if (command.name.find(' ') != std::string_view::npos) names.push_back(command.name);
  }
  return names;
}

Command CompletionCommand(std::string_view program, CommandFunction run) {
  const auto line = [&](std::string_view rest) {
    return fmt::format("{} completion {}", program, rest);
  };
  return {
      .name = "completion",
      .purpose = "Print what completes command lines in a shell",
      .usage = "bash|zsh|fish",
      .about =
          "What a shell has to source, so that the tabulator key completes commands, options, "
          "their values and files. It is made from the same tables as this text.",
      .options = {},
      .examples = {{fmt::format("source <({})", line("bash")), "In ~/.bashrc; bash 4 or newer"},
                   {fmt::format("source <({})", line("zsh")), "In ~/.zshrc, behind compinit"},
                   {fmt::format("{} >{}.fish", line("fish"), program),
                    "For the folder ~/.config/fish/completions"}},
      .least_positional = 1,
      .most_positional = 1,
      .suggested = [] { return std::vector<std::string_view>(kShells.begin(), kShells.end()); },
      .run = run,
  };
}

int PrintCompletion(const Program& program, const Arguments& arguments, Environment& environment) {
  const std::string& shell = arguments.positional.front();
  if (shell == "bash") {
    environment.out << BashCompletion(program);
  } else if (shell == "zsh") {
    environment.out << ZshCompletion(program);
  } else if (shell == "fish") {
    environment.out << FishCompletion(program);
  } else {
    Diagnostics diagnostics;
    diagnostics.Report({.code = "unknown-completion",
                        .message = fmt::format("nothing is known of a shell '{}'", shell),
                        .hint = DidYouMean(shell, kShells, "there are")});
    PrintReports(diagnostics, SourceManager(), TakeColor(arguments), environment);
    return kWrongInput;
  }
  return kSuccess;
}

}  // namespace wheelwright
