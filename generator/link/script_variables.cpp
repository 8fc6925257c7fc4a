// Checks the variables of scripts for POSIX shells: those that nothing sets, and those that a step
// sets and its script cannot use.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>

#include "base/text.h"
#include "generator/link/credentials.h"
#include "generator/link/rules.h"
#include "generator/link/script_words.h"
#include "generator/link/shell_commands.h"
#include "generator/yaml/text_places.h"

namespace wheelwright {
namespace {

// Set by GitHub, the shell and the system; * matches anything.
// https://docs.github.com/actions/reference/workflows-and-actions/variables#default-environment-variables
// https://www.gnu.org/software/bash/manual/html_node/Shell-Variables.html
constexpr auto kAlwaysSet = std::to_array<std::string_view>(
    {"GITHUB_*", "RUNNER_*",   "ACTIONS_*", "CI",         "HOME",   "PATH",    "USER",
     "LOGNAME",  "SHELL",      "PWD",       "OLDPWD",     "LANG",   "LC_*",    "TERM",
     "HOSTNAME", "TMPDIR",     "TEMP",      "TMP",        "UID",    "EUID",    "PPID",
     "RANDOM",   "SRANDOM",    "SECONDS",   "LINENO",     "IFS",    "OSTYPE",  "MACHTYPE",
     "HOSTTYPE", "BASH*",      "FUNCNAME",  "PIPESTATUS", "OPTARG", "OPTIND",  "REPLY",
     "DIRSTACK", "GROUPS",     "SHLVL",     "SHELLOPTS",  "EPOCH*", "PS1",     "PS2",
     "PS3",      "PS4",        "COLUMNS",   "LINES",      "COPROC", "MAPFILE", "TZ",
     "COMP_*",   "READLINE_*", "HISTFILE",  "TIMEFORMAT", "_",      "DISPLAY", "EDITOR",
     "no_proxy", "NO_PROXY",   "*_PROXY",   "*_proxy",    "CDPATH", "ENV",     "HOSTFILE"});

// Set by the images of GitHub's runners and of containers for tools.
// https://github.com/actions/runner-images/blob/main/images/ubuntu/Ubuntu2404-Readme.md
constexpr auto kOfImages = std::to_array<std::string_view>({"ANDROID_*",      "JAVA_HOME*",
                                                            "GOROOT*",        "CHROME*",
                                                            "EDGE*",          "GECKO*",
                                                            "SELENIUM_*",     "VCPKG_*",
                                                            "CONDA*",         "NVM_*",
                                                            "PIPX_*",         "HOMEBREW_*",
                                                            "SWIFT_*",        "GRADLE_*",
                                                            "LEIN_*",         "ANT_HOME",
                                                            "AGENT_*",        "Image*",
                                                            "DEBIAN_*",       "ACCEPT_EULA",
                                                            "AZURE_*",        "POWERSHELL*",
                                                            "XDG_*",          "DOTNET_*",
                                                            "BOOTSTRAP_*",    "GHCUP_*",
                                                            "PERFLOG_*",      "USE_BAZEL*",
                                                            "SGX_*",          "PSModulePath",
                                                            "SYSTEMD_*",      "INVOCATION_ID",
                                                            "JOURNAL_STREAM", "MEMORY_PRESSURE_*",
                                                            "NUNIT_*",        "XCODE_*",
                                                            "IPHONE*",        "RCT_*",
                                                            "POWERSHELL_*",   "EXECIGNORE",
                                                            "COBERTURA_*",    "DBUS_*",
                                                            "LIBSQLITE*",     "SUDO_*",
                                                            "MAIL",           "enable_kvm*",
                                                            "GSETTINGS_*"});

// What actions export, of those for which that is known: all names, with blanks between them.
struct QuietAction {
  std::string_view name;
  std::string_view exports = {};
};
constexpr auto kQuietActions = std::to_array<QuietAction>({
    {"actions/attest-build-provenance"},
    {"actions/cache"},
    {"actions/checkout"},
    {"actions/configure-pages"},
    {"actions/dependency-review-action"},
    {"actions/deploy-pages"},
    {"actions/download-artifact"},
    {"actions/setup-go", "GO*"},
    {"actions/setup-java", "JAVA_*"},
    {"actions/setup-node", "NODE_* NPM_CONFIG_*"},
    {"actions/setup-python", "pythonLocation PKG_CONFIG_PATH Python* LD_LIBRARY_PATH"},
    {"actions/upload-artifact"},
    {"actions/upload-pages-artifact"},
    {"astral-sh/setup-uv", "UV_* VIRTUAL_ENV"},
    {"aws-actions/configure-aws-credentials", "AWS_*"},
    {"codecov/codecov-action"},
    {"docker/build-push-action"},
    {"docker/login-action"},
    {"docker/setup-buildx-action", "BUILDX_*"},
    {"docker/setup-qemu-action"},
    {"peter-evans/create-pull-request"},
    {"pnpm/action-setup", "PNPM_HOME"},
    {"pypa/gh-action-pypi-publish"},
    {"softprops/action-gh-release"},
});

// Commands of the shell and others that read no variables of their own accord.
constexpr auto kQuietCommands = std::to_array<std::string_view>(
    {"echo",  "printf", "test", "[",      "[[",    "true",  "false", ":",        "exit",
     "set",   "if",     "then", "else",   "elif",  "fi",    "for",   "while",    "do",
     "done",  "case",   "esac", "export", "unset", "shift", "break", "continue", "return",
     "wait",  "pwd",    "{",    "}",      "((",    "!",     "local", "declare",  "readonly",
     "mkdir", "rm",     "cp",   "mv",     "cat",   "touch", "chmod", "ls",       "sleep"});

bool FitsAny(std::span<const std::string_view> patterns, std::string_view name) {
  return std::ranges::any_of(patterns,
                             [&](std::string_view one) { return MatchesStars(one, name); });
}

bool Sets(const Field& env, std::string_view name) {
  if (!env) return false;
  // An expression, or a wrong kind: any name.
  if (!env.value->is_mapping()) return !env.value->is_null();
  return std::ranges::any_of(env.value->entries, [&](const Entry& entry) {
    return HoldsExpression(entry.key->text) || entry.key->text == name;
  });
}

bool SetsInContainer(const Job& job, std::string_view name) {
  if (!job.container || !job.container.value->is_mapping()) return false;
  const Entry* env = FindEntry(job.container.value, "env");
  return env != nullptr && Sets({env->key, env->value}, name);
}

// Variables that later steps get from a step.
struct Exports {
  std::set<std::string_view> names;
  std::vector<std::string_view> patterns;
  bool open = false;        // perhaps others
  bool of_actions = false;  // perhaps others, by actions

  void AddScript(std::string_view script, const Programs* programs) {
    // What a file of the repository does is not known.
    const std::vector<ShellCommand> commands = ShellCommands(script);
    open = open || std::ranges::any_of(commands, &RunsUnknown);
    for (const ShellCommand& command : commands) {
      // A program may set for others what it reads itself.
      const ProgramDescription* program =
          programs == nullptr ? nullptr : programs->Find(command.words[0].text);
      if (program == nullptr) continue;
      patterns.insert(patterns.end(), program->variables.begin(), program->variables.end());
    }
    if (script.find("GITHUB_ENV") == std::string_view::npos &&
        script.find("::set-env") == std::string_view::npos) {
      return;
    }
    // Any name in such a script counts; computed ones cannot be known.
    for (std::size_t at = 0; at < script.size();) {
      std::size_t end = at;
      while (end < script.size() && IsNameCharacter(script[end]) && script[end] != '-') ++end;
      if (end > at) names.insert(script.substr(at, end - at));
      at = end + 1;
    }
    for (const ShellCommand& command : commands) {
      if (command.text.find("GITHUB_ENV") == std::string_view::npos) continue;
      const bool literal = !command.words.empty() && command.words.size() > 1 &&
                           (command.words[0].text == "echo" || command.words[0].text == "printf") &&
                           !command.words[1].text.starts_with('$');
      open = open || !literal;
    }
  }

  static bool RunsUnknown(const ShellCommand& command) {
    return command.text.find("GITHUB_ENV") == std::string_view::npos && command.RunsFile();
  }

  void AddAction(std::string_view uses, const LinkContext& context, int level) {
    constexpr int kMostNested = 5;
    const Node* own = context.actions == nullptr ? nullptr : context.actions->Find(uses);
    if (own == nullptr) {
      const auto quiet = std::ranges::find(kQuietActions, ActionName(uses), &QuietAction::name);
      if (quiet == kQuietActions.end()) {
        of_actions = true;
      } else if (!quiet->exports.empty()) {
        for (const std::string_view pattern : Split(quiet->exports, ' ')) {
          patterns.push_back(pattern);
        }
      }
      return;
    }
    const Node* steps = Find(Find(own, "runs"), "steps");
    if (steps == nullptr || level > kMostNested) {
      of_actions = true;
      return;
    }
    for (const Node* step : steps->items) {
      AddScript(FindText(step, "run"), context.programs);
      const std::string_view inner = FindText(step, "uses");
      if (!inner.empty()) AddAction(inner, context, level + 1);
    }
  }
};

class VariableCheck {
 public:
  VariableCheck(const Linking& linking, const Job& job)
      : linking_(linking), job_(job), places_(linking.context.sources) {
    const std::string_view runner = job.runs_on.text();
    hosted_ = runner.starts_with("ubuntu-") || runner.starts_with("macos-");
  }

  void Check() {
    for (const WorkflowStep& step : job_.steps) {
      if (step.run) {
        CheckStep(step);
        exports_.AddScript(step.run.text(), linking_.context.programs);
      } else if (step.uses) {
        exports_.AddAction(step.uses.text(), linking_.context, 0);
      }
    }
  }

 private:
  bool strict() const { return linking_.rules().script_variables == RuleLevel::kError; }

  void CheckStep(const WorkflowStep& step) {
    if (!step.run.value->is_string()) return;
    const std::string_view shell = ShellOf(linking_.workflow, job_, step);
    // Without `shell` it depends on the system, which only a plain label tells.
    if (!IsPosixShell(shell) || (shell.empty() && !hosted_ && !job_.container)) return;
    const std::string_view script = step.run.text();
    CheckUnused(step, script);
    // Actions, images and machines may set others, which generated files must not rely on.
    if (exports_.open) return;
    if (!strict() && (exports_.of_actions || !hosted_ || job_.container)) return;
    if (script.find('$') == std::string_view::npos) return;
    const ScriptVariables variables = ReadScriptVariables(script);
    if (variables.open) return;
    std::set<std::string_view> reported;
    for (const VariableRead& read : variables.reads) {
      if (IsSet(step, variables, read.name) || !reported.insert(read.name).second) continue;
      ReportUnset(step, read);
    }
  }

  bool IsSet(const WorkflowStep& step, const ScriptVariables& variables,
             std::string_view name) const {
    return variables.words.count(name) > 0 || exports_.names.count(name) > 0 ||
           FitsAny(exports_.patterns, name) || Sets(step.env, name) || Sets(job_.env, name) ||
           Sets(linking_.workflow.env, name) || SetsInContainer(job_, name) ||
           FitsAny(kAlwaysSet, name) || FitsAny(kOfImages, name);
  }

  void ReportUnset(const WorkflowStep& step, const VariableRead& read) {
    const SourceRange where = places_.Locate(*step.run.value, read.offset, read.length);
    if (linking_.diagnostics.Repeat("unset-variable", where)) return;
    std::vector<std::string_view> names;
    for (const Field& env : {step.env, job_.env, linking_.workflow.env}) {
      if (!env || !env.value->is_mapping()) continue;
      for (const Entry& entry : env.value->entries) names.push_back(entry.key->text);
    }
    std::string hint = DidYouMean(read.name, names);
    if (hint.empty()) {
      hint = fmt::format("set it in 'env', or write ${{{}:-}} if it may be empty", read.name);
    }
    Diagnostic diagnostic =
        At(step.run.value, "unset-variable",
           fmt::format("nothing sets the variable '{}'", read.name), std::move(hint));
    diagnostic.where = where;
    linking_.Report(linking_.rules().script_variables, std::move(diagnostic));
  }

  void CheckUnused(const WorkflowStep& step, std::string_view script) {
    if (!step.env || !step.env.value->is_mapping()) return;
    bool looked = false, readable = false;
    for (const Entry& entry : step.env.value->entries) {
      const std::string_view name = entry.key->text;
      if (HoldsExpression(name) || HasWord(script, name) || FitsAny(kAlwaysSet, name)) continue;
      if (!looked) readable = RunsKnownOnly(script);
      looked = true;
      if (!readable || MayBeRead(name)) continue;
      linking_.Report(
          linking_.rules().script_variables,
          At(entry.key, "unused-variable",
             fmt::format("the script does not use the variable '{}'", name), "leave it out"));
    }
  }

  // Whether each command is one of the shell, or a program that tells of its variables.
  bool RunsKnownOnly(std::string_view script) {
    called_.clear();
    for (const std::string_view nested : {"$(", "`", "<<", "<(", "() {", "(){"}) {
      if (script.find(nested) != std::string_view::npos) return false;
    }
    const Programs* programs = linking_.context.programs;
    for (const ShellCommand& command : ShellCommands(script)) {
      const ShellWord& word = command.words[0];
      // A program behind a word such as `if` is not looked for.
      const bool alone =
          command.words.size() == 1 || word.text == "[" || word.text == "[[" ||
          (word.text != "if" && word.text != "then" && word.text != "else" && word.text != "elif" &&
           word.text != "while" && word.text != "do" && word.text != "{" && word.text != "!");
      if (word.text.starts_with('#')) continue;
      const bool assigns = command.words.size() == 1 && word.text.find('=') != std::string::npos;
      if (alone &&
          (assigns || std::ranges::find(kQuietCommands, word.text) != kQuietCommands.end())) {
        continue;
      }
      const ProgramDescription* program = programs == nullptr ? nullptr : programs->Find(word.text);
      if (program == nullptr || program->variables.empty()) return false;
      called_.push_back(program);
    }
    return true;
  }

  bool MayBeRead(std::string_view name) const {
    return std::ranges::any_of(called_, [&](const ProgramDescription* program) {
      return std::ranges::any_of(program->variables, [&](const std::string& pattern) {
        return MatchesStars(pattern, name);
      });
    });
  }

  const Linking& linking_;
  const Job& job_;
  TextPlaces places_;
  bool hosted_ = false;  // a machine of GitHub's with a POSIX shell
  Exports exports_;
  std::vector<const ProgramDescription*> called_;
};

}  // namespace

void CheckScriptVariables(const Linking& linking) {
  if (linking.rules().script_variables == RuleLevel::kOff) return;
  for (const Job& job : linking.workflow.jobs) VariableCheck(linking, job).Check();
}

}  // namespace wheelwright
