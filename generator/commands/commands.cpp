#include "generator/commands/commands.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <exception>
#include <optional>
#include <ostream>
#include <utility>

#include "base/text.h"
#include "generator/commands/session.h"
#include "generator/matrix/schema.h"
#include "generator/template/reference.h"

namespace wheelwright {
namespace {

// Without a command line that could say how.
int Refuse(Diagnostic diagnostic, Environment& environment) {
  Diagnostics diagnostics;
  diagnostics.Report(std::move(diagnostic));
  environment.out.flush();
  environment.err << Render(
      diagnostics, SourceManager(), ReportFormat::kText,
      UsesColor(ColorChoice::kAuto, environment.err_is_terminal, environment));
  return kWrongInput;
}

const Command* FindCommand(std::string_view name) {
  const auto commands = AllCommands();
  const auto found = std::ranges::find(commands, name, &Command::name);
  return found == commands.end() ? nullptr : &*found;
}

int RefuseCommand(std::string_view name, Environment& environment) {
  std::vector<std::string_view> names{"help"};
  for (const Command& command : AllCommands()) names.push_back(command.name);
  return Refuse({.code = "unknown-command",
                 .message = fmt::format("there is no command '{}'", name),
                 .hint = DidYouMean(name, names, "there are"),
                 .notes = {"`wheelwright help` tells what each does"}},
                environment);
}

int Help(std::span<const std::string> words, Environment& environment) {
  if (words.empty()) {
    environment.out << Overview();
    return kFine;
  }
  const std::string& topic = words.front();
  if (topic == "matrix") {
    environment.out << MatrixReference();
  } else if (topic == "templates") {
    environment.out << TemplateReference();
  } else if (const Command* command = FindCommand(topic)) {
    environment.out << HelpOf(*command);
  } else if (topic == "help") {
    environment.out << Overview();
  } else {
    return RefuseCommand(topic, environment);
  }
  return kFine;
}

int RunCommand(const Command& command, std::span<const std::string> words,
               Environment& environment) {
  Diagnostics diagnostics;
  const std::optional<Arguments> arguments = ReadArguments(command, words, diagnostics);
  if (!arguments) {
    environment.err << Render(
        diagnostics, SourceManager(), ReportFormat::kText,
        UsesColor(ColorChoice::kAuto, environment.err_is_terminal, environment));
    return kWrongInput;
  }
  if (arguments->Has("help")) {
    environment.out << HelpOf(command);
    return kFine;
  }
  return command.run(*arguments, environment);
}

int RunWords(std::span<const std::string> words, Environment& environment) {
  if (words.empty()) return Help({}, environment);
  const std::string& first = words.front();
  const auto rest = words.subspan(1);
  if (first == "help" || first == "--help" || first == "-h") return Help(rest, environment);
  if (first == "--version") {
    environment.out << "wheelwright " WHEELWRIGHT_VERSION "\n";
    return kFine;
  }
  if (const Command* command = FindCommand(first)) return RunCommand(*command, rest, environment);
  if (first.starts_with('-')) {
    constexpr std::array<std::string_view, 2> kKnown{"--help", "--version"};
    return Refuse({.code = "unknown-option",
                   .message = fmt::format("there is no option '{}' without a command", first),
                   .hint = DidYouMean(first, kKnown),
                   .notes = {"options stand behind the command: wheelwright COMMAND [OPTION]..."}},
                  environment);
  }
  return RefuseCommand(first, environment);
}

}  // namespace

std::span<const Command> AllCommands() {
  static const std::array kCommands{GenerateCommand(), CheckCommand(),   PlanCommand(),
                                    SelectCommand(),   ExplainCommand(), LintCommand(),
                                    GraphCommand(),    SchemaCommand(),  PinsCommand()};
  return kCommands;
}

int RunProgram(std::span<const std::string> words, Environment& environment) {
  int status = kOwnFault;
  try {
    status = RunWords(words, environment);
    environment.out.flush();
    if (!environment.out.good()) {
      status = Refuse({.code = "file-access", .message = "the output could not be written"},
                      environment);
    }
  } catch (const FileError& refusal) {
    status = Refuse({.code = "file-access", .message = refusal.what()}, environment);
  } catch (const std::exception& fault) {
    environment.err << fmt::format(
        "wheelwright failed: {}\nThis is a fault of the program: please report it with what was "
        "run.\n",
        fault.what());
  }
  environment.err.flush();
  return status;
}

}  // namespace wheelwright
