#include <fmt/format.h>

#include "base/text.h"
#include "cli/completion.h"

namespace wheelwright {
namespace {

// In single quotes; characters in `escaped` get a backslash for the function that parses the word.
std::string Quote(std::string_view text, std::string_view escaped) {
  std::string out = "'";
  for (const char c : text) {
    if (c == '\'') {
      out += "'\\''";
      continue;
    }
    if (escaped.find(c) != std::string_view::npos) out += '\\';
    out += c;
  }
  return out + "'";
}

std::string Action(const Offer& offer) {
  switch (offer.kind) {
    case Offer::Kind::kWords:
      return fmt::format("({})", fmt::join(offer.words, " "));
    case Offer::Kind::kFiles:
      return "_files";
    case Offer::Kind::kFolders:
      return "_files -/";
    case Offer::Kind::kNothing:
      break;
  }
  return "{false}";  // a message would hide that an option is the only match
}

// As _arguments reads it: '*--out=[The folder]:DIR:_files -/'.
std::string Spec(const OptionSpec& option) {
  const std::string help = Quote(option.help, "[]:\\");
  const std::string bare = help.substr(1, help.size() - 2);
  if (option.name == "help") return fmt::format("'(-h --help)'{{-h,--help}}'[{}]'", bare);
  if (option.argument.empty()) return fmt::format("'--{}[{}]'", option.name, bare);
  return fmt::format("'*--{}=[{}]:{}:{}'", option.name, bare, option.argument,
                     Action(OfferOf(option)));
}

// 'name:what it is for', as _describe reads it.
std::string Row(std::string_view name, std::string_view purpose) {
  return fmt::format("    {}\n", Quote(fmt::format("{}:{}", name, purpose), "\\"));
}

}  // namespace

std::string ZshCompletion(const Program& program) {
  std::string first;
  std::string second;
  for (const std::string_view word : FirstWords(program)) {
    first += Row(word, PurposeOf(program, word));
    const std::vector<std::string_view> words = SecondWords(program, word);
    if (words.empty()) continue;
    second += fmt::format("    {}) names=(\n", word);
    for (const Command& command : program.commands) {
      if (command.name.starts_with(fmt::format("{} ", word))) {
        second += Row(command.name.substr(word.size() + 1), command.purpose);
      }
    }
    second += "      ) ;;\n";
  }
  std::string topics;
  for (const Topic& topic : program.topics) topics += Row(topic.name, topic.says);
  std::string longer;
  if (!LongNames(program).empty()) {
    longer = fmt::format(
        "  case \"$name $words[2]\" in\n"
        "    '{}') name+=\" $words[2]\"; shift words; ((CURRENT--)) ;;\n"
        "  esac\n",
        fmt::join(LongNames(program), "'|'"));
  }

  std::string out = fmt::format(
      "#compdef {0}\n"
      "# Completes command lines of {0} in zsh: source <({0} completion zsh)\n"
      "_{0}() {{\n"
      "  local -a names first\n"
      "  local name=$words[2]\n"
      "  first=(\n{1}  )\n"
      "  if ((CURRENT == 2)); then\n"
      "    _describe -t commands command first\n"
      "    return\n"
      "  fi\n"
      "  local typed=$words[CURRENT] parent=\n"
      "  if ((CURRENT == 3)); then parent=$name; fi\n"
      "  if [[ $name == help ]]; then\n"
      "    if ((CURRENT == 3)); then\n"
      "      names=(\n{2}      )\n"
      "      _describe -t commands command first -- names\n"
      "      return\n"
      "    fi\n"
      "    if ((CURRENT > 4)); then return 1; fi\n"
      "    parent=$words[3]\n"
      "  fi\n"
      "  case $parent in\n{3}"
      "  esac\n"
      "  if (($#names)) && [[ $typed != -* ]]; then\n"
      "    # What is no second word may be an argument.\n"
      "    _describe -t commands command names && return\n"
      "  fi\n"
      "  shift words\n"
      "  ((CURRENT--))\n"
      "{4}"
      "  case $name in\n",
      program.name, first, topics, second, longer);
  for (const Command& command : program.commands) {
    out += fmt::format("    '{}') _arguments", command.name);
    for (const OptionSpec& option : AllOptions(command)) {
      out += fmt::format(" \\\n      {}", Spec(option));
    }
    if (command.most_positional > 0) {
      out += fmt::format(" \\\n      '*:argument:{}'", Action(OfferOf(command)));
    }
    out += "\n      ;;\n";
  }
  out += fmt::format(
      "  esac\n"
      "}}\n"
      "# As a file of $fpath this is the function itself.\n"
      "if [[ $funcstack[1] == _{0} ]]; then _{0} \"$@\"; else compdef _{0} {0}; fi\n",
      program.name);
  return out;
}

}  // namespace wheelwright
