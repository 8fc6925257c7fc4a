// Collects steps that start a run of another workflow: by an action, `gh workflow run`, or GitHub's
// API. LinkSet() checks them once all workflows are known.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

#include "base/json.h"
#include "base/text.h"
#include "generator/expression/parse.h"
#include "generator/expression/scope.h"
#include "generator/link/rules.h"
#include "generator/link/shell_commands.h"
#include "generator/workflow/permissions.h"
#include "generator/yaml/text_places.h"

namespace wheelwright {
namespace {

// Actions that start a run of the workflow that an input names.
struct DispatchAction {
  std::string_view name;
  std::string_view workflow;  // names of inputs; if empty, the event is repository_dispatch
  std::string_view inputs;
  std::string_view repository;
};
constexpr std::array kDispatchActions{
    DispatchAction{"benc-uk/workflow-dispatch", "workflow", "inputs", "repo"},
    DispatchAction{"the-actions-org/workflow-dispatch", "workflow", "inputs", "repo"},
    DispatchAction{"aurelien-baudet/workflow-dispatch", "workflow", "inputs", "repo"},
    DispatchAction{"convictional/trigger-workflow-and-wait", "workflow_file_name", "client_payload",
                   "repo"},
    DispatchAction{"codex-/return-dispatch", "workflow", "workflow_inputs", "repo"},
    DispatchAction{"peter-evans/repository-dispatch", "", "", "repository"},
};

// Actions that need `actions: write` for other things.
constexpr std::array<std::string_view, 2> kCancelling{"styfle/cancel-workflow-action",
                                                      "andymckay/cancel-action"};

std::optional<std::string> LiteralOf(std::string_view text) {
  if (HoldsExpression(text)) return std::nullopt;
  return std::string(text);
}

// The last part of a path: actions accept both "release.yml" and ".github/workflows/release.yml".
std::string_view FileOf(std::string_view target) {
  const std::size_t slash = target.rfind('/');
  return slash == std::string_view::npos ? target : target.substr(slash + 1);
}

bool IsWorkflowFile(std::string_view target) {
  return target.ends_with(".yml") || target.ends_with(".yaml");
}

// Replaces each `${{ }}` by text that is valid JSON, within quotes or not.
std::string HideExpressions(std::string_view text, const GithubText& parsed) {
  std::string hidden;
  std::size_t at = 0;
  bool quoted = false;
  for (const GithubText::Expression& one : parsed.expressions) {
    const std::string_view before = text.substr(at, one.at.begin - at);
    for (std::size_t i = 0; i < before.size(); ++i) {
      if (before[i] == '"' && (i == 0 || before[i - 1] != '\\')) quoted = !quoted;
    }
    hidden += before;
    hidden += quoted ? "${{}}" : "\"${{}}\"";
    at = one.at.end;
  }
  hidden += text.substr(at);
  return hidden;
}

SourceRange WhereInText(const Linking& linking, const Node& scalar, std::string_view what) {
  const std::size_t at = scalar.text.find(what);
  if (at == std::string_view::npos) return scalar.where;
  return TextPlaces(linking.context.sources).Locate(scalar, at, what.size());
}

bool IsOneOf(std::string_view text, std::initializer_list<std::string_view> all) {
  return std::find(all.begin(), all.end(), text) != all.end();
}

bool HasVariable(std::string_view text) { return text.find('$') != std::string_view::npos; }

// Whether the script uses `actions: write` only for other things than starting runs.
bool OnlyManages(std::string_view script) {
  for (const std::string_view use : {"gh run ", "gh cache ", "/actions/runs", "/actions/caches"}) {
    if (script.find(use) != std::string_view::npos) return true;
  }
  return false;
}

class Collector {
 public:
  Collector(const Linking& linking, const Job& job)
      : linking_(linking), places_(linking.context.sources), job_(job) {}

  void Run() {
    of_job_ = linking_.trusted.ConditionOf(job_.condition);
    for (const WorkflowStep& step : job_.steps) CollectStep(step);
    const Field& block = job_.permissions ? job_.permissions : linking_.trusted.permissions;
    if (started_ || manages_ || !block || job_.is_call()) return;
    const Permissions granted = ReadPermissions(*block.value);
    if (granted[*FindPermissionScope("actions")] != Access::kWrite) return;
    Unreadable(block.key,
               fmt::format("job '{}' may start any workflow, but does not name one", job_.id));
  }

 private:
  void CollectStep(const WorkflowStep& step) {
    when_ = Both(of_job_, linking_.trusted.ConditionOf(step.condition));
    const std::string_view name = ActionName(step.uses.text());
    const auto is_named = [&](std::string_view one) { return EqualsIgnoringCase(name, one); };
    const auto action = std::ranges::find_if(kDispatchActions, is_named, &DispatchAction::name);
    if (action != kDispatchActions.end()) {
      ReadAction(step, *action);
    } else if (is_named("actions/github-script")) {
      if (const Node* script = Find(step.with.value, "script")) ReadProgram(*script);
    } else if (step.run && step.run.value->is_string()) {
      of_other_ = false;
      for (const Field& env : {step.env, job_.env, linking_.trusted.env}) {
        of_other_ = of_other_ || (env && Find(env.value, "GH_REPO") != nullptr);
      }
      ReadScript(*step.run.value);
    } else {
      manages_ |= std::ranges::any_of(kCancelling, is_named);
    }
  }

  Dispatch& Start(const Node& at, SourceRange where) {
    started_ = true;
    Dispatch& dispatch = linking_.usage.dispatches.emplace_back();
    dispatch.job = job_.id;
    dispatch.when = when_;
    dispatch.where = where;
    dispatch.instance = DescribeInstance(at.scope);
    return dispatch;
  }

  // It may start any workflow, with any inputs.
  void StartAny(const Node& at, SourceRange where) {
    Start(at, where).inputs_known = false;
    Diagnostic diagnostic =
        Unknown(&at, fmt::format("it is unknown which workflow job '{}' starts", job_.id));
    diagnostic.where = where;
    linking_.Report(linking_.rules().readable_dispatches, std::move(diagnostic));
  }

  void Unreadable(const Node* at, std::string message) {
    linking_.Report(linking_.rules().readable_dispatches, Unknown(at, std::move(message)));
  }

  static Diagnostic Unknown(const Node* at, std::string message) {
    Diagnostic diagnostic =
        At(at, "unreadable-dispatch", std::move(message), "write the file's name");
    diagnostic.notes.push_back("a job that starts a run reaches everything that the run reaches");
    return diagnostic;
  }

  void ReadAction(const WorkflowStep& step, const DispatchAction& action) {
    const Node* repository = Find(step.with.value, action.repository);
    if (action.workflow.empty()) {
      Dispatch& dispatch = Start(*step.uses.value, step.uses.value->where);
      dispatch.event = "repository_dispatch";
      dispatch.elsewhere = repository != nullptr;
      return;
    }
    const Node* target = Find(step.with.value, action.workflow);
    if (target == nullptr) return;
    if (HoldsExpression(target->text)) return StartAny(*target, target->where);
    Dispatch& dispatch = Start(*target, target->where);
    dispatch.target = FileOf(target->text);
    dispatch.by_name = !IsWorkflowFile(target->text);
    dispatch.elsewhere = repository != nullptr;
    if (const Node* inputs = Find(step.with.value, action.inputs)) ReadInputs(*inputs, dispatch);
  }

  void ReadInputs(const Node& inputs, Dispatch& dispatch) {
    const GithubText& parsed = linking_.trusted.Text(inputs.text);
    const auto json = ParseOrderedJson(HideExpressions(inputs.text, parsed));
    if (parsed.error || !json.is_object()) {
      dispatch.inputs_known = false;
      if (Trim(inputs.text).starts_with("${{")) return;
      linking_.Report(At(&inputs, "bad-dispatch-inputs",
                         "the inputs of a dispatched workflow must be a JSON object",
                         "such as { \"name\": \"value\" }"));
      return;
    }
    for (const auto& [name, value] : json.items()) {
      const std::string text = value.is_string() ? value.get<std::string>() : DumpJson(value);
      dispatch.inputs.push_back(
          {name, LiteralOf(text), WhereInText(linking_, inputs, fmt::format("\"{}\"", name))});
    }
  }

  // JavaScript: createWorkflowDispatch({ workflow_id: 'release.yml' }).
  void ReadProgram(const Node& script) {
    const std::string_view text = script.text;
    for (std::size_t at = text.find("createDispatchEvent"); at != std::string_view::npos;
         at = text.find("createDispatchEvent", at + 1)) {
      Start(script, script.where).event = "repository_dispatch";
    }
    for (const std::string_view call : {"createWorkflowDispatch", "/dispatches"}) {
      for (std::size_t at = text.find(call); at != std::string_view::npos;
           at = text.find(call, at + 1)) {
        const SourceRange where = places_.Locate(script, at, call.size());
        const std::string_view file = WorkflowIdIn(text.substr(at));
        if (file.empty()) {
          StartAny(script, where);
          continue;
        }
        Dispatch& dispatch = Start(script, where);
        dispatch.target = FileOf(file);
        dispatch.by_name = true;  // not certain enough for a report
        dispatch.inputs_known = false;
      }
    }
    manages_ |= text.find("cancelWorkflowRun") != std::string_view::npos ||
                text.find("deleteActionsCache") != std::string_view::npos;
  }

  static std::string_view WorkflowIdIn(std::string_view text) {
    const std::size_t key = text.find("workflow_id");
    if (key == std::string_view::npos) return {};
    const std::size_t begin = text.find_first_not_of(" :\t", key + 11);
    if (begin == std::string_view::npos || (text[begin] != '\'' && text[begin] != '"')) return {};
    const std::size_t end = text.find(text[begin], begin + 1);
    if (end == std::string_view::npos) return {};
    const std::string_view value = text.substr(begin + 1, end - begin - 1);
    return IsWorkflowFile(value) && !HasVariable(value) ? value : std::string_view{};
  }

  void ReadScript(const Node& run) {
    std::size_t read = 0;
    for (const ShellCommand& command : ShellCommands(run.text)) {
      if (command.Has({"gh", "workflow", "run"})) {
        ++read;
        ReadCommand(run, command);
      }
      for (const ShellWord& word : command.words) {
        if (std::string_view(word.text).find("/dispatches") == std::string_view::npos) continue;
        ++read;
        ReadAddress(run, command, word);
      }
    }
    // In $(), in a variable or in code of another language.
    std::size_t mentioned = 0;
    for (const std::string_view text : {"workflow run", "/dispatches", "createWorkflowDispatch"}) {
      for (std::size_t at = run.text.find(text); at != std::string_view::npos;
           at = run.text.find(text, at + 1)) {
        ++mentioned;
      }
    }
    if (mentioned > read) StartAny(run, run.where);
    manages_ |= OnlyManages(run.text);
  }

  SourceRange Locate(const Node& run, const ShellWord& word) {
    return places_.Locate(run, word.offset, word.length);
  }

  void Give(const Node& run, const ShellWord& word, std::string_view text, Dispatch& dispatch) {
    const std::size_t equals = text.find('=');
    if (equals == std::string_view::npos) return;
    std::string_view name = text.substr(0, equals);
    const std::string_view value = text.substr(equals + 1);
    if (name.starts_with("inputs[") && name.ends_with(']')) name = name.substr(7, name.size() - 8);
    dispatch.inputs.push_back(
        {std::string(name),
         HasVariable(value) || value.starts_with('@') ? std::nullopt : LiteralOf(value),
         Locate(run, word)});
  }

  // Reads the options of a gh command. Returns its first argument.
  const ShellWord* ReadOptions(const Node& run, const std::vector<ShellWord>& words,
                               std::size_t first, Dispatch& dispatch) {
    const ShellWord* target = nullptr;
    for (std::size_t i = first; i < words.size(); ++i) {
      const std::string_view text = words[i].text;
      if (IsOneOf(text, {"-R", "--repo"})) {
        dispatch.elsewhere = true;
        ++i;
      } else if (text.starts_with("--repo=") || text.starts_with("-R")) {
        dispatch.elsewhere = true;
      } else if (text == "--json" || text.starts_with("--input")) {
        dispatch.inputs_known = false;
      } else if (IsOneOf(text, {"-f", "-F", "--raw-field", "--field"})) {
        if (++i < words.size()) Give(run, words[i], words[i].text, dispatch);
      } else if (IsOneOf(text, {"-r", "--ref", "-X", "--method", "-H", "--header"})) {
        ++i;
      } else if (text.starts_with("-f") || text.starts_with("-F")) {
        Give(run, words[i], text.substr(2), dispatch);
      } else if (text.starts_with("--raw-field=") || text.starts_with("--field=")) {
        Give(run, words[i], text.substr(text.find('=') + 1), dispatch);
      } else if (!text.starts_with('-') && target == nullptr) {
        target = &words[i];
      }
    }
    return target;
  }

  void ReadCommand(const Node& run, const ShellCommand& command) {
    const std::vector<ShellWord>& words = command.words;
    const auto verb = std::ranges::find(words, "run", &ShellWord::text);
    Dispatch dispatch;
    const ShellWord* target =
        ReadOptions(run, words, static_cast<std::size_t>(verb - words.begin()) + 1, dispatch);
    if (target == nullptr || HasVariable(target->text)) {
      return StartAny(run, target != nullptr ? Locate(run, *target) : run.where);
    }
    dispatch.target = FileOf(target->text);
    dispatch.by_name = !IsWorkflowFile(target->text);
    Take(run, *target, std::move(dispatch));
  }

  // repos/OWNER/NAME/actions/workflows/FILE/dispatches, with gh api or anything else.
  void ReadAddress(const Node& run, const ShellCommand& command, const ShellWord& word) {
    Dispatch dispatch;
    ReadOptions(run, command.words, 1, dispatch);
    if (!command.Has({"gh", "api"})) dispatch.inputs_known = false;
    dispatch.elsewhere = true;  // the URL has the repository
    std::erase_if(dispatch.inputs,
                  [](const Dispatch::Given& given) { return given.name == "ref"; });
    const std::string_view address = word.text;
    constexpr std::string_view kFolder = "/actions/workflows/";
    const std::size_t folder = address.find(kFolder);
    if (folder == std::string_view::npos) {
      dispatch.event = "repository_dispatch";
    } else {
      const std::size_t begin = folder + kFolder.size();
      const std::string_view file =
          address.substr(begin, address.find("/dispatches", begin) - begin);
      if (HasVariable(file) || !IsWorkflowFile(file)) return StartAny(run, Locate(run, word));
      dispatch.target = file;
    }
    Take(run, word, std::move(dispatch));
  }

  void Take(const Node& run, const ShellWord& word, Dispatch dispatch) {
    Dispatch& started = Start(run, Locate(run, word));
    started.target = std::move(dispatch.target);
    started.event = std::move(dispatch.event);
    started.by_name = dispatch.by_name;
    started.elsewhere = dispatch.elsewhere || of_other_;
    started.inputs = std::move(dispatch.inputs);
    started.inputs_known = dispatch.inputs_known;
  }

  const Linking& linking_;
  TextPlaces places_;
  const Job& job_;
  Condition of_job_, when_;
  bool started_ = false;
  bool manages_ = false;
  bool of_other_ = false;  // GH_REPO gives the repository
};

}  // namespace

void CollectDispatches(const Linking& linking) {
  for (const Job& job : linking.trusted.jobs) Collector(linking, job).Run();
}

}  // namespace wheelwright
