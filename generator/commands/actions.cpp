// Reads action.yml files of other repositories into the form that lint knows them by.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>

#include "base/arena.h"
#include "base/text.h"
#include "generator/commands/commands.h"
#include "generator/commands/project_run.h"
#include "generator/link/action_interface.h"
#include "generator/yaml/read.h"

namespace wheelwright {
namespace {

class ActionsRun {
 public:
  explicit ActionsRun(Environment& environment) : environment_(environment) {}

  int Run(const std::vector<std::string>& words, const std::string& into,
          const CommonOptions& common) {
    for (const std::string& word : words) Read(word);
    if (diagnostics_.errors() == 0) Write(into);
    if (diagnostics_.errors() == 0) return kSuccess;
    PrintDiagnostics(diagnostics_, sources_, common, "nothing was written", environment_);
    return kWrongInput;
  }

 private:
  void Decline(std::string_view code, std::string message, std::string hint = {}) {
    diagnostics_.Report({.code = code, .message = std::move(message), .hint = std::move(hint)});
  }

  // "owner/name@v1=action.yml"
  void Read(const std::string& word) {
    const std::size_t equals = word.find('=');
    const auto use = ReadActionUse(std::string_view(word).substr(0, equals), {});
    if (equals == std::string::npos || !use || use->version.empty()) {
      return Decline("action-words", fmt::format("'{}' names no version of an action", word),
                     "write OWNER/NAME@VERSION=FILE");
    }
    const std::string path = word.substr(equals + 1);
    try {
      const auto text = environment_.files.Read(path);
      if (!text) return Decline("file-access", fmt::format("there is no file {}", path));
      const Node* root = ReadYaml(sources_, sources_.Add(path, *text), arena_, diagnostics_).root;
      if (root == nullptr) return;
      ActionInterface action = ReadActionInterface(*root);
      if (action.runtime.empty()) {
        return Decline("action-words", fmt::format("{} is no action.yml", path),
                       "it has to have 'runs' with 'using'");
      }
      action.name = use->name;
      action.version = use->version;
      lines_.insert_or_assign(KeyOf(action), WriteActionLine(action));
    } catch (const FileError& error) {
      Decline("file-access", error.what());
    }
  }

  static std::string KeyOf(const ActionInterface& action) {
    return fmt::format("{}@{}", ToLower(action.name), action.version);
  }

  void Write(const std::string& into) {
    if (into.empty()) {
      for (const auto& [key, line] : lines_) environment_.out << line << '\n';
      return;
    }
    try {
      const std::string before = environment_.files.Read(into).value_or("");
      std::map<std::string, std::string> all;
      for (const std::string_view line : Split(before, '\n')) {
        if (Trim(line).empty()) continue;
        const auto action = ParseActionLine(line);
        if (!action) return Decline("action-words", fmt::format("{} has other content", into));
        all.emplace(KeyOf(*action), line);
      }
      for (const auto& [key, line] : lines_) all.insert_or_assign(key, line);
      std::string text;
      for (const auto& [key, line] : all) text += line + "\n";
      environment_.files.Write(into, text);
      environment_.out << fmt::format(
          "{}: {}\n", into, Count(all.size(), "version of an action", "versions of actions"));
    } catch (const FileError& error) {
      Decline("file-access", error.what());
    }
  }

  Environment& environment_;
  SourceManager sources_;
  Arena arena_;
  Diagnostics diagnostics_;
  std::map<std::string, std::string> lines_;  // by name and version
};

}  // namespace

Command ActionsCommand() {
  return {
      .name = "actions",
      .purpose = "Tell lint what actions of other repositories take and give",
      .usage = "OWNER/NAME@VERSION=FILE... [--into FILE]",
      .about =
          "Reads action.yml files that were fetched before, and prints a line for each, or adds "
          "them to a file. Lint reads such a file where `actions` of .github/wheelwright.yml "
          "names it, and then checks the inputs and outputs of steps with these actions; those of "
          "the most used actions are built in. Write the part of the version that fixes what the "
          "action takes: v2 stands for v2.1.0 too.",
      .options = Joined({{.name = "into",
                          .argument = "FILE",
                          .help = "Add the lines to this file; a line of the same version is "
                                  "replaced"}},
                        {FormatOption()}),
      .examples = {{"wheelwright actions acme/setup@v2=.github/actions/setup-wheelrun/action.yml",
                    "How is it read?"},
                   {"wheelwright actions --into .github/actions.jsonl "
                    "acme/setup@v2=.github/actions/setup-wheelrun/action.yml",
                    "With a file that was fetched before"}},
      .least_positional = 1,
      .most_positional = 10000,
      .run =
          [](const Arguments& arguments, Environment& environment) {
            return ActionsRun(environment)
                .Run(arguments.positional, std::string(arguments.Get("into")),
                     TakeCommonOptions(arguments));
          },
  };
}

}  // namespace wheelwright
