#include "cli/program.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <exception>
#include <ostream>
#include <utility>

#include "base/file_system.h"
#include "base/text.h"
#include "cli/describe.h"
#include "cli/terminal.h"

namespace wheelwright {
namespace {

// A command, and how many words its name takes.
struct Called {
  const Command* command = nullptr;
  std::size_t words = 0;
};

class Run {
 public:
  Run(const Program& program, Environment& environment, Host* host)
      : program_(program), environment_(environment), host_(host) {}

  int Words(std::span<const std::string> words) {
    if (words.empty()) return Help({});
    const std::string& first = words.front();
    if (first == "help" || first == "--help" || first == "-h") return Help(words.subspan(1));
    if (first == "--version" || first == "-V") return PrintVersion(program_, environment_);
    if (const Called called = Find(words); called.command != nullptr) {
      // "version roc" is not `version` with an argument.
      if (called.words == 1 && called.command->most_positional == 0 && words.size() > 1 &&
          !words[1].starts_with('-') && !SecondWords(program_, first).empty()) {
        return RefuseCommand(words);
      }
      return RunCommand(*called.command, words.subspan(called.words));
    }
    if (first.starts_with('-')) {
      constexpr std::array<std::string_view, 2> kKnown{"--help", "--version"};
      return Refuse({.code = "unknown-option",
                     .message = fmt::format("there is no option '{}' without a command", first),
                     .hint = DidYouMean(first, kKnown),
                     .notes = {fmt::format("options stand behind the command: {} COMMAND "
                                           "[OPTION]...",
                                           program_.name)}});
    }
    return RefuseCommand(words);
  }

  // For errors before the command line could say the format and colour.
  int Refuse(Diagnostic diagnostic) {
    Diagnostics diagnostics;
    diagnostics.Report(std::move(diagnostic));
    PrintReports(diagnostics, SourceManager(), ColorChoice::kAuto, environment_);
    return kWrongInput;
  }

 private:
  Called Find(std::span<const std::string> words) const {
    for (std::size_t count = std::min<std::size_t>(2, words.size()); count > 0; --count) {
      const std::string name = fmt::format("{}", fmt::join(words.first(count), " "));
      const auto found = std::ranges::find(program_.commands, name, &Command::name);
      if (found != program_.commands.end()) return {&*found, count};
    }
    return {};
  }

  int RefuseCommand(std::span<const std::string> words, std::span<const Topic> topics = {}) {
    const std::string note = fmt::format("`{} help` tells what each does", program_.name);
    const std::vector<std::string_view> second = SecondWords(program_, words.front());
    if (!second.empty()) {
      if (words.size() == 1) {
        return Refuse({.code = "unknown-command",
                       .message = fmt::format("'{}' needs a second word", words.front()),
                       .hint = DidYouMean("", second, "it takes"),
                       .notes = {note}});
      }
      return Refuse({.code = "unknown-command",
                     .message = fmt::format("there is no command '{} {}'", words[0], words[1]),
                     .hint = DidYouMean(words[1], second, "it takes"),
                     .notes = {note}});
    }
    std::vector<std::string_view> names{"help"};
    for (const Command& command : program_.commands) names.push_back(command.name);
    for (const Topic& topic : topics) names.push_back(topic.name);
    return Refuse({.code = "unknown-command",
                   .message = fmt::format("there is no command{} '{}'",
                                          topics.empty() ? "" : " or topic", words.front()),
                   .hint = DidYouMean(words.front(), names, "there are"),
                   .notes = {note}});
  }

  int Help(std::span<const std::string> words) {
    if (words.empty() || words.front() == "help") {
      environment_.out << Overview(program_);
      return kSuccess;
    }
    if (words.front() == "--json") {
      environment_.out << DescribeProgram(program_);
      return kSuccess;
    }
    const auto topic = std::ranges::find(program_.topics, words.front(), &Topic::name);
    if (topic != program_.topics.end()) {
      environment_.out << topic->text(environment_);
    } else if (const Called called = Find(words); called.command != nullptr) {
      environment_.out << HelpOf(program_, *called.command);
    } else {
      const std::string says = program_.say_of_word == nullptr
                                   ? std::string()
                                   : program_.say_of_word(words.front(), environment_);
      if (says.empty()) return RefuseCommand(words, program_.topics);
      environment_.out << says;
    }
    return kSuccess;
  }

  int RunCommand(const Command& command, std::span<const std::string> words) {
    Diagnostics diagnostics;
    const std::optional<Arguments> arguments = ReadArguments(program_, command, words, diagnostics);
    if (!arguments) {
      PrintReports(diagnostics, SourceManager(), ColorChoice::kAuto, environment_);
      return kWrongInput;
    }
    if (arguments->Has("help")) {
      environment_.out << HelpOf(program_, command);
      return kSuccess;
    }
    return command.run_on_host != nullptr ? command.run_on_host(*arguments, *host_)
                                          : command.run(*arguments, environment_);
  }

  const Program& program_;
  Environment& environment_;
  Host* host_;
};

}  // namespace

std::vector<std::string_view> SecondWords(const Program& program, std::string_view first) {
  std::vector<std::string_view> found;
  for (const Command& command : program.commands) {
    const std::size_t blank = command.name.find(' ');
    if (blank != std::string_view::npos && command.name.substr(0, blank) == first) {
      found.push_back(command.name.substr(blank + 1));
    }
  }
  return found;
}

Command VersionCommand(std::string_view program, CommandFunction run) {
  return {
      .name = "version",
      .purpose = "Print the version of this program",
      .usage = {},
      .about =
          "The version of the release that the program is of, or will be of. Both programs of "
          "a release have the same.",
      .options = {},
      .examples = {{fmt::format("{} version", program), "Which one is installed?"},
                   {fmt::format("{} --version", program), "The same, as is `-V`"}},
      .run = run,
  };
}

int PrintVersion(const Program& program, Environment& environment) {
  environment.out << fmt::format("{} {}\n", program.name, program.version);
  return kSuccess;
}

int RunProgram(const Program& program, std::span<const std::string> words, Environment& environment,
               Host* host) {
  Run run(program, environment, host);
  int status = kInternalError;
  try {
    status = run.Words(words);
    environment.out.flush();
    if (!environment.out.good()) {
      status = run.Refuse({.code = "file-access", .message = "the output could not be written"});
    }
  } catch (const FileError& refusal) {
    status = run.Refuse({.code = "file-access", .message = refusal.what()});
  } catch (const std::exception& fault) {
    environment.err << fmt::format(
        "{} failed: {}\nThis is a fault of the program: please report it with what was run.\n",
        program.name, fault.what());
  }
  environment.err.flush();
  return status;
}

}  // namespace wheelwright
