#include "generator/link/programs.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

#include "base/json.h"
#include "base/text.h"
#include "generator/link/rules.h"
#include "generator/link/shell_commands.h"
#include "generator/workflow/report.h"
#include "generator/yaml/text_places.h"

namespace wheelwright {
namespace {

using Command = ProgramDescription::Command;

// Words before the name of a program.
constexpr std::array<std::string_view, 10> kBefore{"sudo", "exec", "time", "if",   "then",
                                                   "else", "do",   "!",    "elif", "while"};

template <typename Value>
Value ValueOf(const nlohmann::json& json, const char* key) {
  const auto found = json.find(key);
  if (found == json.end()) return Value();
  return found->get<Value>();
}

Command ReadCommand(const nlohmann::json& json) {
  Command command{
      .name = json.at("name").get<std::string>(),
      .one_of = ValueOf<std::vector<std::vector<std::string>>>(json, "one_of"),
      .outputs = ValueOf<std::vector<std::string>>(json, "outputs"),
      .most_arguments = ValueOf<std::size_t>(json, "most_arguments"),
  };
  for (const nlohmann::json& option : json.at("options")) {
    command.options.push_back({.name = option.at("name").get<std::string>(),
                               .takes_value = option.contains("argument"),
                               .number = ValueOf<bool>(option, "number"),
                               .values = ValueOf<std::vector<std::string>>(option, "values")});
  }
  return command;
}

// Whether the shell makes something else of a word.
bool IsComputed(std::string_view word) { return word.find_first_of("$`*?") != std::string::npos; }

// A script with a text of another language in it cannot be cut into commands.
bool IsReadable(std::string_view script) { return script.find("<<") == std::string_view::npos; }

std::size_t FirstOf(const std::vector<ShellWord>& words) {
  std::size_t at = 0;
  while (at < words.size() &&
         (std::ranges::find(kBefore, words[at].text) != kBefore.end() ||
          (words[at].text.find('=') != std::string::npos && !words[at].text.starts_with('-')))) {
    ++at;
  }
  return at;
}

// Whether a quote of the command is not closed.
bool IsOpen(std::string_view command) {
  char quote = 0;
  for (std::size_t i = 0; i < command.size(); ++i) {
    const char c = command[i];
    if (c == '\\' && quote != '\'') {
      ++i;
    } else if (quote == 0 && (c == '"' || c == '\'')) {
      quote = c;
    } else if (c == quote) {
      quote = 0;
    }
  }
  return quote != 0;
}

class ProgramCall {
 public:
  ProgramCall(const Node& script, const ProgramDescription& program,
              std::span<const ShellWord> words, const SourceManager& sources,
              Diagnostics& diagnostics)
      : script_(script),
        program_(program),
        words_(words),
        sources_(sources),
        diagnostics_(diagnostics) {}

  // The command of the words behind the program, and how many words it has.
  static std::pair<const Command*, std::size_t> Find(const ProgramDescription& program,
                                                     std::span<const ShellWord> words) {
    for (std::size_t count = std::min<std::size_t>(2, words.size()); count > 0; --count) {
      const std::string name =
          count == 2 ? fmt::format("{} {}", words[0].text, words[1].text) : words[0].text;
      const auto found = std::ranges::find(program.commands, name, &Command::name);
      if (found != program.commands.end()) return {&*found, count};
    }
    return {nullptr, 0};
  }

  void Check() {
    const std::span<const ShellWord> behind = words_.subspan(1);
    if (behind.empty() || IsComputed(behind[0].text) || behind[0].text == "help" ||
        behind[0].text == "--help" || behind[0].text == "--version") {
      return;
    }
    const auto [command, count] = Find(program_, behind);
    if (command == nullptr) return ReportCommand(behind);
    CheckOptions(*command, behind.subspan(count));
  }

 private:
  void ReportCommand(std::span<const ShellWord> behind) {
    std::vector<std::string_view> names;
    for (const Command& one : program_.commands) names.push_back(one.name);
    std::string written = behind[0].text;
    if (behind.size() > 1 && !behind[1].text.starts_with('-')) written += " " + behind[1].text;
    const std::string hint = DidYouMean(written, names);
    Report(behind[0], "unknown-command",
           fmt::format("{} has no command '{}'", program_.name, behind[0].text),
           hint.empty() ? DidYouMean(behind[0].text, names) : hint);
  }

  void CheckOptions(const Command& command, std::span<const ShellWord> words) {
    std::vector<std::string> given;
    bool open = false;  // a word may hold options
    for (std::size_t i = 0; i < words.size(); ++i) {
      const std::string_view word = words[i].text;
      if (word.starts_with('>') || word.starts_with('<') || word.starts_with('#') ||
          word.starts_with("2>") || word == "--" || word == ")" || word == "}") {
        break;
      }
      if (!word.starts_with("--")) {
        open = open || word.starts_with("${{") || word.starts_with('$') || word == "-h";
        continue;
      }
      const std::size_t equals = word.find('=');
      const std::string name(word.substr(2, equals - 2));
      if (IsComputed(name)) {
        open = true;
        continue;
      }
      const ProgramDescription::Option* option = command.FindOption(name);
      if (option == nullptr) {
        ReportOption(command, words[i], name);
        continue;
      }
      given.push_back(option->name);
      if (!option->takes_value) continue;
      if (equals != std::string_view::npos) {
        CheckValue(words[i], *option, word.substr(equals + 1));
      } else if (i + 1 < words.size()) {
        CheckValue(words[i + 1], *option, words[i + 1].text);
        ++i;
      } else {
        Report(words[i], "option-value", fmt::format("'--{}' needs a value", name), {});
      }
    }
    if (open) return;
    for (const std::vector<std::string>& group : command.one_of) {
      if (std::ranges::any_of(group, [&](const std::string& one) {
            return std::ranges::find(given, one) != given.end();
          })) {
        continue;
      }
      std::vector<std::string> names;
      for (const std::string& one : group) names.push_back("--" + one);
      Report(words_[0], "missing-option",
             fmt::format("'{} {}' needs one of {}", program_.name, command.name, JoinWords(names)),
             {});
    }
  }

  void ReportOption(const Command& command, const ShellWord& word, const std::string& name) {
    std::vector<std::string> written;
    for (const ProgramDescription::Option& one : command.options) written.push_back(one.name);
    const std::vector<std::string_view> names(written.begin(), written.end());
    const std::string_view nearest = Nearest(name, names);
    Report(word, "unknown-option",
           fmt::format("'{} {}' has no option '--{}'", program_.name, command.name, name),
           nearest.empty() ? "" : fmt::format("did you mean '--{}'?", nearest));
  }

  void CheckValue(const ShellWord& word, const ProgramDescription::Option& option,
                  std::string_view value) {
    if (value.empty() || IsComputed(value)) return;
    if (option.number && value.find_first_not_of("0123456789") != std::string_view::npos) {
      Report(word, "option-value", fmt::format("'--{}' takes a number", option.name), {});
    } else if (!option.values.empty() &&
               std::ranges::find(option.values, value) == option.values.end()) {
      const std::vector<std::string_view> values(option.values.begin(), option.values.end());
      Report(word, "option-value", fmt::format("'--{}' does not take '{}'", option.name, value),
             DidYouMean(value, values, "it takes"));
    }
  }

  void Report(const ShellWord& word, std::string_view code, std::string message, std::string hint) {
    Diagnostic diagnostic = At(&script_, code, std::move(message), std::move(hint));
    diagnostic.where = TextPlaces(sources_).Locate(script_, word.offset, word.length);
    diagnostics_.Report(std::move(diagnostic));
  }

  const Node& script_;
  const ProgramDescription& program_;
  std::span<const ShellWord> words_;
  const SourceManager& sources_;
  Diagnostics& diagnostics_;
};

}  // namespace

const ProgramDescription::Option* Command::FindOption(std::string_view option) const {
  const auto same = [&](const Option& one) {
    if (one.name == option) return true;
    // A switch that is on is turned off by the same word behind "no-".
    const std::string_view bare = one.name.starts_with("[no-]")
                                      ? std::string_view(one.name).substr(5)
                                      : std::string_view(one.name);
    return !one.takes_value &&
           (bare == option || (option.starts_with("no-") && bare == option.substr(3)));
  };
  const auto found = std::ranges::find_if(options, same);
  return found == options.end() ? nullptr : &*found;
}

bool Programs::Add(std::string_view json) {
  const nlohmann::json all = ParseJson(json);
  try {
    ProgramDescription program{.name = all.at("program").get<std::string>(),
                               .variables = ValueOf<std::vector<std::string>>(all, "variables")};
    for (const nlohmann::json& command : all.at("commands")) {
      program.commands.push_back(ReadCommand(command));
    }
    programs_.insert_or_assign(program.name, std::move(program));
    return true;
  } catch (const nlohmann::json::exception&) {
    return false;
  }
}

const ProgramDescription* Programs::Find(std::string_view word) const {
  const auto found = programs_.find(word.substr(word.rfind('/') + 1));
  return found == programs_.end() ? nullptr : &found->second;
}

void CheckProgramCalls(const Node& script, const Programs& programs, const SourceManager& sources,
                       Diagnostics& diagnostics) {
  if (programs.empty() || !script.is_string() || !IsReadable(script.text)) return;
  for (const ShellCommand& command : ShellCommands(script.text)) {
    const std::size_t first = FirstOf(command.words);
    if (first == command.words.size()) continue;
    const ProgramDescription* program = programs.Find(command.words[first].text);
    if (program == nullptr) continue;
    if (IsOpen(command.text)) {
      const ShellWord& word = command.words[first];
      Diagnostic diagnostic =
          At(&script, "unclosed-quote", "a quote of this command is not closed");
      diagnostic.where = TextPlaces(sources).Locate(script, word.offset, word.length);
      diagnostics.Report(std::move(diagnostic));
      continue;
    }
    ProgramCall(script, *program, std::span(command.words).subspan(first), sources, diagnostics)
        .Check();
  }
}

std::optional<std::vector<std::string>> OutputsOfScript(std::string_view script,
                                                        const Programs& programs) {
  if (!IsReadable(script) || script.find("GITHUB_OUTPUT") != std::string_view::npos ||
      script.find("::set-output") != std::string_view::npos) {
    return std::nullopt;
  }
  std::vector<std::string> outputs;
  for (const ShellCommand& command : ShellCommands(script)) {
    const std::size_t first = FirstOf(command.words);
    const ProgramDescription* program =
        first < command.words.size() ? programs.Find(command.words[first].text) : nullptr;
    if (program == nullptr) return std::nullopt;
    const auto behind = std::span(command.words).subspan(first + 1);
    const Command* called = ProgramCall::Find(*program, behind).first;
    if (called == nullptr) return std::nullopt;
    outputs.insert(outputs.end(), called->outputs.begin(), called->outputs.end());
  }
  return outputs;
}

std::string_view ShellOf(const Workflow& workflow, const Job& job, const WorkflowStep& step) {
  std::string_view shell = step.shell.text();
  for (const Field& defaults : {job.defaults, workflow.defaults}) {
    if (shell.empty() && defaults) shell = FindText(Find(defaults.value, "run"), "shell");
  }
  return shell;
}

void CheckPrograms(const Linking& linking) {
  for (const Job& job : linking.workflow.jobs) {
    for (const WorkflowStep& step : job.steps) {
      if (!step.run) continue;
      if (!IsPosixShell(ShellOf(linking.workflow, job, step))) continue;
      CheckProgramCalls(*step.run.value, *linking.context.programs, linking.context.sources,
                        linking.diagnostics);
    }
  }
}

bool IsPosixShell(std::string_view shell) {
  const std::string_view program = shell.substr(0, shell.find(' '));
  return shell.empty() || EqualsAnyIgnoringCase(program, {"bash", "sh"});
}

}  // namespace wheelwright
