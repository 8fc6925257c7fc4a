#include <fmt/format.h>

#include "cli/completion.h"

namespace wheelwright {
namespace {

// Sets the variables that the end of the function reads.
std::string Assign(const Offer& offer) {
  switch (offer.kind) {
    case Offer::Kind::kWords:
      return fmt::format("words='{}'", fmt::join(offer.words, " "));
    case Offer::Kind::kFiles:
      return "paths=-f";
    case Offer::Kind::kFolders:
      return "paths=-d";
    case Offer::Kind::kNothing:
      break;
  }
  return "words=''";
}

// The branch of a command: its options, their values, its arguments.
std::string Branch(const Command& command) {
  std::string names;
  std::string values;
  for (const OptionSpec& option : AllOptions(command)) {
    names += fmt::format("{}--{}", names.empty() ? "" : " ", option.name);
    if (option.argument.empty()) continue;
    values += fmt::format("          --{}) {} ;;\n", option.name, Assign(OfferOf(option)));
  }
  return fmt::format(
      "      '{}')\n"
      "        case $before in\n"
      "{}"
      "          *) if [[ $word == -* ]]; then words='{}'; else {}; fi ;;\n"
      "        esac\n"
      "        ;;\n",
      command.name, values, names, Assign(OfferOf(command)));
}

}  // namespace

std::string BashCompletion(const Program& program) {
  std::string topics;
  for (const Topic& topic : program.topics) topics += fmt::format(" {}", topic.name);
  std::string second;
  for (const std::string_view first : FirstWords(program)) {
    const std::vector<std::string_view> words = SecondWords(program, first);
    if (words.empty()) continue;
    second += fmt::format("      {}) words='{}' ;;\n", first, fmt::join(words, " "));
  }
  std::string longer;
  if (!LongNames(program).empty()) {
    longer = fmt::format(
        "  if ((COMP_CWORD > 2)); then\n"
        "    case \"$name ${{COMP_WORDS[2]}}\" in\n"
        "      '{}') name+=\" ${{COMP_WORDS[2]}}\" ;;\n"
        "    esac\n"
        "  fi\n",
        fmt::join(LongNames(program), "' | '"));
  }
  const std::string first = fmt::format("{}", fmt::join(FirstWords(program), " "));

  std::string out = fmt::format(
      "# Completes command lines of {0} in bash: source <({0} completion bash)\n"
      "_{0}() {{\n"
      "  local word=${{COMP_WORDS[COMP_CWORD]}} before=${{COMP_WORDS[COMP_CWORD - 1]}}\n"
      "  local name=${{COMP_WORDS[1]}} words='' paths='' prefix='' line\n"
      "  COMPREPLY=()\n"
      "  # bash takes --out=DIR for three words, where COMP_WORDBREAKS holds '='.\n"
      "  if [[ $word == = ]]; then\n"
      "    word=''\n"
      "  elif [[ $before == = ]]; then\n"
      "    before=${{COMP_WORDS[COMP_CWORD - 2]}}\n"
      "  elif [[ $word == --*=* ]]; then\n"
      "    prefix=${{word%%=*}}= before=${{word%%=*}} word=${{word#*=}}\n"
      "  fi\n"
      "{1}"
      "  if ((COMP_CWORD == 1)); then\n"
      "    words='{2}'\n"
      "    if [[ $word == -* ]]; then words='--help --version'; fi\n"
      "  elif ((COMP_CWORD == 2)) && [[ $word != -* ]]; then\n"
      "    case $name in\n"
      "{3}"
      "      help) words='{2}{4}' ;;\n"
      "    esac\n"
      "    # What is no second word may be an argument.\n"
      "    if [[ -z $(compgen -W \"$words\" -- \"$word\") ]]; then words=''; fi\n"
      "  elif ((COMP_CWORD == 3)) && [[ $name == help ]]; then\n"
      "    case ${{COMP_WORDS[2]}} in\n"
      "{3}"
      "      *) return ;;\n"
      "    esac\n"
      "  fi\n"
      "  if [[ -z $words ]]; then\n"
      "    case $name in\n",
      program.name, longer, first, second, topics);
  for (const Command& command : program.commands) out += Branch(command);
  out += fmt::format(
      "    esac\n"
      "  fi\n"
      "  if [[ -n $paths ]]; then\n"
      "    compopt -o filenames\n"
      "    while IFS= read -r line; do COMPREPLY+=(\"$prefix$line\"); done < <(compgen $paths -- "
      "\"$word\")\n"
      "  else\n"
      "    while IFS= read -r line; do COMPREPLY+=(\"$prefix$line\"); done < <(compgen -W "
      "\"$words\" "
      "-- \"$word\")\n"
      "  fi\n"
      "}}\n"
      "complete -F _{0} {0}\n",
      program.name);
  return out;
}

}  // namespace wheelwright
