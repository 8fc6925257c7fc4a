// The help texts and the reference page of a program, from its table of commands.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "base/text.h"
#include "cli/program.h"

namespace wheelwright {
namespace {

constexpr std::size_t kWidth = 100;

std::string Wrap(std::string_view text, std::size_t used, std::size_t indent) {
  return WrapWords(text, kWidth, used, indent);
}

// Wraps each paragraph.
std::string WrapAll(std::string_view text) {
  std::string out;
  for (const std::string_view line : Split(Trim(text), '\n')) out += Wrap(line, 0, 0) + '\n';
  return out;
}

std::string Written(const OptionSpec& option) {
  std::string name = option.name == "help" ? "-h, --help" : fmt::format("--{}", option.name);
  if (!option.argument.empty()) name += fmt::format(" {}", option.argument);
  return name;
}

std::string Rows(const std::vector<std::pair<std::string, std::string>>& rows) {
  std::size_t widest = 0;
  for (const auto& [name, text] : rows) widest = std::max(widest, CountCharacters(name));
  std::string out;
  for (const auto& [name, text] : rows) {
    const std::size_t indent = widest + 4;
    out += fmt::format("  {}{}{}\n", name, std::string(indent - 2 - CountCharacters(name), ' '),
                       Wrap(text, indent, indent));
  }
  return out;
}

// Adds the allowed values if the help does not name them.
std::string HelpText(const OptionSpec& option) {
  if (option.values.empty()) return std::string(option.help);
  const bool told = std::ranges::all_of(option.values, [&](std::string_view value) {
    return option.help.find(value) != std::string_view::npos;
  });
  return told ? std::string(option.help)
              : fmt::format("{}: {}", option.help, fmt::join(option.values, ", "));
}

}  // namespace

std::span<const OptionSpec> CommonOptionSpecs() {
  static const std::array<OptionSpec, 2> kOptions{{
      {.name = "color",
       .argument = "WHEN",
       .help = "Colours: auto (by the terminal, NO_COLOR and CLICOLOR_FORCE), always or never",
       .values = {"auto", "always", "never"}},
      {.name = "help", .argument = {}, .help = "Print this text"},
  }};
  return kOptions;
}

std::vector<OptionSpec> AllOptions(const Command& command) {
  std::vector<OptionSpec> options = command.options;
  for (const OptionSpec& option : CommonOptionSpecs()) options.push_back(option);
  return options;
}

std::string UsageOf(const Program& program, const Command& command) {
  std::string usage = fmt::format("{} {}", program.name, command.name);
  if (!command.usage.empty()) usage += fmt::format(" {}", command.usage);
  return usage;
}

std::string Overview(const Program& program) {
  std::string out = fmt::format("{}\n\nusage: {} COMMAND [ARGUMENT]... [OPTION]...\n\n",
                                program.purpose, program.name);
  std::vector<std::pair<std::string, std::string>> rows;
  for (const Command& command : program.commands) rows.emplace_back(command.name, command.purpose);
  out += Rows(rows) + '\n';
  rows = {{"help COMMAND", "Its options, with examples"},
          {"help --json", "All of this for programs"}};
  for (const Topic& topic : program.topics) {
    rows.emplace_back(fmt::format("help {}", topic.name), topic.says);
  }
  rows.emplace_back("-V, --version", "The version");
  out += Rows(rows) + "\nexit status:\n";
  rows.clear();
  for (const ExitStatus& status : program.statuses) {
    rows.emplace_back(std::to_string(status.status), status.means);
  }
  return out + Rows(rows);
}

std::string HelpOf(const Program& program, const Command& command) {
  std::string out = fmt::format("{}.\n\nusage: {}\n\n{}\noptions:\n", command.purpose,
                                Wrap(UsageOf(program, command), 7, 7), WrapAll(command.about));
  std::vector<std::pair<std::string, std::string>> rows;
  for (const OptionSpec& option : AllOptions(command)) {
    rows.emplace_back(Written(option), HelpText(option));
  }
  out += Rows(rows) + "\nexamples:\n";
  for (const Example& example : command.examples) {
    out += fmt::format("  {}\n      {}\n", example.line, Wrap(example.says, 6, 6));
  }
  return out;
}

std::string ReferencePage(const Program& program) {
  const auto escaped = [](std::string_view text) {
    std::string out;
    for (const char c : text) {
      if (c == '|' || c == '<' || c == '*') out += '\\';
      out += c;
    }
    return out;
  };
  // The anchor that GitHub makes from a heading.
  const auto anchor = [](std::string_view name) {
    std::string out(name);
    std::ranges::replace(out, ' ', '-');
    return out;
  };
  std::string out = fmt::format(
      "<!-- Made from the tables of the commands. To renew it: UPDATE_GOLDEN=1 unit_tests "
      "'[commands]' -->\n"
      "# The commands of {}\n\n{}\n\n| command | |\n| --- | --- |\n",
      program.name, program.purpose);
  for (const Command& command : program.commands) {
    out +=
        fmt::format("| [`{}`](#{}) | {} |\n", command.name, anchor(command.name), command.purpose);
  }
  out += fmt::format(
      "\n{}\n| exit status | |\n| --- | --- |\n",
      WrapAll(fmt::format("{} Results go to stdout, all else to stderr.", program.reference_note)));
  for (const ExitStatus& status : program.statuses) {
    out += fmt::format("| {} | {} |\n", status.status, status.means);
  }
  for (const Command& command : program.commands) {
    out +=
        fmt::format("\n## {}\n\n{}.\n\n    {}\n\n{}\n| option | |\n| --- | --- |\n", command.name,
                    command.purpose, UsageOf(program, command), WrapAll(command.about));
    for (const OptionSpec& option : AllOptions(command)) {
      out += fmt::format("| `{}` | {} |\n", Written(option), escaped(HelpText(option)));
    }
    out += '\n';
    for (const Example& example : command.examples) {
      out += fmt::format("    # {}\n    {}\n", example.says, example.line);
    }
  }
  return out;
}

}  // namespace wheelwright
