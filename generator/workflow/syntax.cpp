#include "generator/workflow/syntax.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "base/text.h"
#include "generator/workflow/cron.h"
#include "generator/workflow/permissions.h"
#include "generator/workflow/report.h"

namespace wheelwright {
namespace {

using Names = std::vector<std::string_view>;

bool IsLetter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool IsDigit(char c) { return c >= '0' && c <= '9'; }

// "a list or a mapping".
std::string DescribeKinds(Kinds kinds) {
  std::vector<std::string> words;
  if (kinds & (kText | kNonEmpty)) words.push_back("a string");
  if (kinds & kBoolean) words.push_back("true or false");
  if (kinds & kNumber) words.push_back("a number");
  if (kinds & kList) words.push_back("a list");
  if (kinds & kMap) words.push_back("a mapping");
  if (kinds & kNothing) words.push_back("nothing");
  std::string joined;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (i > 0) joined += i + 1 == words.size() ? " or " : ", ";
    joined += words[i];
  }
  return joined;
}

bool Fits(const Node& value, Kinds kinds) {
  switch (value.kind) {
    case NodeKind::kMapping:
      return kinds & kMap;
    case NodeKind::kSequence:
      return kinds & kList;
    case NodeKind::kNull:
      return kinds & (kText | kNothing);
    case NodeKind::kBoolean:
      return kinds & (kText | kNonEmpty | kBoolean);
    case NodeKind::kNumber:
      return kinds & (kText | kNonEmpty | kNumber);
    case NodeKind::kString:
      if (kinds & kText) return true;
      if ((kinds & kNonEmpty) && !value.text.empty()) return true;
      return (kinds & kExpression) && HoldsExpression(value.text);
  }
  return false;
}

class SyntaxCheck {
 public:
  SyntaxCheck(const Workflow& workflow, Diagnostics& diagnostics)
      : workflow_(workflow), diagnostics_(diagnostics) {}

  void Run() {
    if (!workflow_.root->is_mapping()) {
      Report(workflow_.root, "not-a-workflow",
             fmt::format("a workflow must be a mapping, not {}", DescribeKind(*workflow_.root)));
      return;
    }
    CheckMapping(*workflow_.root, nullptr, WorkflowSyntax());
    CheckPermissions(workflow_.permissions);
    for (const Event& event : workflow_.events) CheckEvent(event);
    CheckDuplicateNames("input", workflow_.call_inputs);
    CheckDuplicateNames("input", workflow_.dispatch_inputs);
    for (const Input& input : workflow_.call_inputs) CheckInput(input, true);
    for (const Input& input : workflow_.dispatch_inputs) CheckInput(input, false);
    if (workflow_.jobs_field && workflow_.jobs.empty() &&
        workflow_.jobs_field.value->is_mapping()) {
      Report(workflow_.jobs_field.key, "no-jobs", "the workflow has no jobs");
    }
    for (std::size_t i = 0; i < workflow_.jobs.size(); ++i) {
      const Job& job = workflow_.jobs[i];
      const auto first = static_cast<std::size_t>(workflow_.JobIndex(job.id));
      if (first != i) ReportDuplicate("job", job.key, workflow_.jobs[first].key);
      CheckJob(job);
    }
  }

 private:
  void Report(const Node* at, std::string_view code, std::string message, std::string hint = {}) {
    diagnostics_.Report(At(at, code, std::move(message), std::move(hint)));
  }

  void ReportDuplicate(std::string_view what, const Node* second, const Node* first) {
    Diagnostic diagnostic =
        At(second, "duplicate-id",
           second->text == first->text
               ? fmt::format("two {}s are called '{}'", what, second->text)
               : fmt::format("'{}' and '{}' are the same {} to GitHub, which ignores case",
                             first->text, second->text, what));
    diagnostic.related.push_back({first->where, "first defined here"});
    diagnostics_.Report(std::move(diagnostic));
  }

  template <typename Named>
  void CheckDuplicateNames(std::string_view what, const std::vector<Named>& all) {
    for (std::size_t i = 1; i < all.size(); ++i) {
      for (std::size_t j = 0; j < i; ++j) {
        if (EqualsIgnoringCase(all[i].name, all[j].name)) {
          ReportDuplicate(what, all[i].key, all[j].key);
          break;
        }
      }
    }
  }

  void ReportUnknownKey(const Node* key, const SyntaxLevel& level) {
    Names names;
    for (const SyntaxKey& known : level.keys) names.push_back(known.name);
    Diagnostic diagnostic =
        At(key, "unknown-key", fmt::format("{} has no key '{}'", level.what, key->text),
           DidYouMean(key->text, names));
    if (diagnostic.hint.empty()) {
      std::vector<std::string> words(names.begin(), names.end());
      diagnostic.notes.push_back(fmt::format(
          "{} may have {}", level.what, words.empty() ? std::string("no keys") : JoinWords(words)));
    }
    diagnostics_.Report(std::move(diagnostic));
  }

  void CheckValue(const Node* key, const Node& value, const SyntaxKey& rule,
                  const SyntaxLevel& level) {
    if (!Fits(value, rule.kinds)) {
      Report(value.where.known() ? &value : key, "wrong-kind",
             fmt::format("'{}' of {} must be {}, not {}", key->text, level.what,
                         DescribeKinds(rule.kinds), DescribeKind(value)),
             ((rule.kinds & kBoolean) && NeedsNoQuotes(value, NodeKind::kBoolean)) ||
                     ((rule.kinds & kNumber) && NeedsNoQuotes(value, NodeKind::kNumber))
                 ? "write it without quotes"
                 : "");
      return;
    }
    if (value.is_mapping() && rule.below) CheckMapping(value, key, *rule.below);
    if (value.is_sequence() && rule.item != 0) {
      for (const Node* item : value.items) {
        if (!Fits(*item, rule.item)) {
          Report(item, "wrong-kind",
                 fmt::format("an item of '{}' must be {}, not {}", key->text,
                             DescribeKinds(rule.item), DescribeKind(*item)));
        }
      }
    }
  }

  void CheckMapping(const Node& mapping, const Node* owner, const SyntaxLevel& level) {
    std::size_t required = 0;
    for (const Entry& entry : mapping.entries) {
      const auto rule =
          std::find_if(level.keys.begin(), level.keys.end(),
                       [&](const SyntaxKey& key) { return key.name == entry.key->text; });
      if (rule != level.keys.end()) {
        if (rule->required) ++required;
        CheckValue(entry.key, *entry.value, *rule, level);
      } else if (level.others) {
        CheckValue(entry.key, *entry.value, *level.others, level);
      } else {
        ReportUnknownKey(entry.key, level);
      }
    }
    for (const SyntaxKey& key : level.keys) {
      if (!key.required) continue;
      if (required == 0 || !FindEntry(&mapping, key.name)) {
        Report(owner ? owner : &mapping, "missing-key",
               fmt::format("{} needs the key '{}'", level.what, key.name));
      }
    }
  }

  void CheckPermissions(const Field& field) {
    if (!field) return;
    const Node& value = *field.value;
    if (value.is_scalar()) {
      if (value.text == "read-all" || value.text == "write-all") return;
      Diagnostic diagnostic = At(&value, "unknown-permission",
                                 fmt::format("'{}' is no set of permissions", value.text));
      diagnostic.notes.push_back(
          "a mapping of scopes, 'read-all' or 'write-all'; {} grants nothing");
      diagnostics_.Report(std::move(diagnostic));
      return;
    }
    for (const Entry& entry : value.entries) {
      const std::optional<std::size_t> scope = FindPermissionScope(entry.key->text);
      if (!scope) {
        Report(entry.key, "unknown-permission",
               fmt::format("there is no permission '{}'", entry.key->text),
               DidYouMean(entry.key->text, kPermissionScopes));
        continue;
      }
      const std::optional<Access> access = ParseAccess(entry.value->text);
      if (!access || !IsLegalAccess(*scope, *access)) {
        Report(
            entry.value, "unknown-permission",
            fmt::format("'{}' cannot be '{}'", entry.key->text, entry.value->text),
            IsLegalAccess(*scope, Access::kRead)
                ? (IsLegalAccess(*scope, Access::kWrite) ? "read, write or none" : "read or none")
                : "write or none");
      }
    }
  }

  void CheckEvent(const Event& event) {
    const EventSyntax* syntax = FindEventSyntax(event.name);
    if (!syntax) {
      Names names;
      for (const EventSyntax& known : Events()) names.push_back(known.name);
      Report(event.key, "unknown-event", fmt::format("there is no event '{}'", event.name),
             DidYouMean(event.name, names));
      return;
    }
    if (event.name == "schedule") {
      CheckSchedule(event);
      return;
    }
    if (!event.config) return;
    if (!event.config->is_mapping()) {
      Report(
          event.config, "wrong-kind",
          fmt::format("'{}' must be a mapping, not {}", event.name, DescribeKind(*event.config)));
      return;
    }
    Names filters;
    if (!syntax->filters.empty()) filters = Split(syntax->filters, ' ');
    if (!syntax->types.empty()) filters.push_back("types");
    for (const Entry& entry : event.config->entries) {
      const std::string_view key = entry.key->text;
      if (std::find(filters.begin(), filters.end(), key) == filters.end()) {
        Report(entry.key, "unknown-key",
               fmt::format("the event '{}' has no key '{}'", event.name, key),
               DidYouMean(key, filters));
      } else if (key == "types") {
        CheckTypes(*syntax, *entry.value);
      } else if (key == "inputs" || key == "outputs" || key == "secrets") {
        if (!entry.value->is_mapping() && !entry.value->is_null()) {
          Report(entry.value, "wrong-kind",
                 fmt::format("'{}' must be a mapping, not {}", key, DescribeKind(*entry.value)));
        }
      } else if (!Fits(*entry.value, kNonEmpty | kList)) {
        Report(entry.value->where.known() ? entry.value : entry.key, "wrong-kind",
               fmt::format("'{}' must be a list of patterns, not {}", key,
                           DescribeKind(*entry.value)));
      }
    }
    for (const std::string_view filter : {"branches", "tags", "paths"}) {
      const Entry* with = FindEntry(event.config, filter);
      const Entry* without = FindEntry(event.config, fmt::format("{}-ignore", filter));
      if (!with || !without) continue;
      Diagnostic diagnostic = At(without->key, "conflicting-filters",
                                 fmt::format("'{}' cannot have both '{}' and '{}'", event.name,
                                             filter, without->key->text),
                                 fmt::format("write '!pattern' below '{}'", filter));
      diagnostic.related.push_back({with->key->where, "the other filter"});
      diagnostics_.Report(std::move(diagnostic));
    }
    CheckDeclarations(event);
  }

  void CheckTypes(const EventSyntax& event, const Node& types) {
    const auto check = [&](const Node& type) {
      if (event.types == "*") return;
      const Names known = Split(event.types, ' ');
      if (std::find(known.begin(), known.end(), type.text) != known.end()) return;
      Diagnostic diagnostic =
          At(&type, "unknown-activity-type",
             fmt::format("the event '{}' has no activity type '{}'", event.name, type.text),
             DidYouMean(type.text, known));
      if (diagnostic.hint.empty()) {
        const std::vector<std::string> words(known.begin(), known.end());
        diagnostic.notes.push_back("activity types: " + JoinWords(words));
      }
      diagnostics_.Report(std::move(diagnostic));
    };
    if (types.is_scalar()) check(types);
    for (const Node* item : types.items) check(*item);
  }

  void CheckSchedule(const Event& event) {
    if (!event.config || !event.config->is_sequence()) {
      Report(event.config ? event.config : event.key, "wrong-kind",
             "'schedule' must be a list of 'cron' lines");
      return;
    }
    for (const Node* item : event.config->items) {
      const Node* cron = Find(item, "cron");
      if (!cron) {
        Report(item, "missing-key", "a schedule needs the key 'cron'");
        continue;
      }
      for (const Entry& entry : item->entries) {
        if (entry.key->text != "cron" && entry.key->text != "timezone") {
          Report(entry.key, "unknown-key",
                 fmt::format("a schedule has no key '{}'", entry.key->text),
                 DidYouMean(entry.key->text, std::array<std::string_view, 2>{"cron", "timezone"}));
        }
      }
      const std::string problem = CronProblem(cron->text);
      if (!problem.empty()) {
        Report(cron, "bad-cron", fmt::format("'{}' is no cron line: {}", cron->text, problem));
      }
    }
  }

  // The parts of workflow_call below the names that users give.
  void CheckDeclarations(const Event& event) {
    if (event.name != "workflow_call") return;
    CheckDuplicateNames("secret", workflow_.call_secrets);
    CheckDuplicateNames("output", workflow_.call_outputs);
    static constexpr SyntaxKey kSecretKeys[] = {{"description", kText}, {"required", kBoolean}};
    static constexpr SyntaxKey kOutputKeys[] = {{"description", kText},
                                                {"value", kText, nullptr, 0, true}};
    static constexpr SyntaxLevel kSecret{"a secret of 'workflow_call'", kSecretKeys};
    static constexpr SyntaxLevel kOutput{"an output of 'workflow_call'", kOutputKeys};
    for (const Declared& secret : workflow_.call_secrets) {
      if (!secret.spec->is_null()) CheckSpec(secret.key, *secret.spec, kSecret);
    }
    for (const Declared& output : workflow_.call_outputs) {
      CheckSpec(output.key, *output.spec, kOutput);
    }
  }

  void CheckSpec(const Node* key, const Node& spec, const SyntaxLevel& level) {
    if (spec.is_mapping()) {
      CheckMapping(spec, key, level);
    } else {
      Report(key, "wrong-kind",
             fmt::format("'{}' must be a mapping, not {}", key->text, DescribeKind(spec)));
    }
  }

  void CheckInput(const Input& input, bool call) {
    static constexpr SyntaxKey kCallKeys[] = {{"description", kText},
                                              {"type", kNonEmpty, nullptr, 0, true},
                                              {"required", kBoolean},
                                              {"default", kText | kNumber | kBoolean},
                                              {"deprecationMessage", kText}};
    static constexpr SyntaxKey kDispatchKeys[] = {{"description", kText},
                                                  {"type", kNonEmpty},
                                                  {"required", kBoolean},
                                                  {"default", kText | kNumber | kBoolean},
                                                  {"options", kList, nullptr, kNonEmpty},
                                                  {"deprecationMessage", kText}};
    static constexpr SyntaxLevel kCall{"an input of 'workflow_call'", kCallKeys};
    static constexpr SyntaxLevel kDispatch{"an input of 'workflow_dispatch'", kDispatchKeys};
    if (const std::string problem = IdProblem(input.name); !problem.empty()) {
      Report(input.key, "bad-id",
             fmt::format("'{}' cannot be an input's name: {}", input.name, problem));
    }
    if (input.spec->is_null() && !call) return;
    CheckSpec(input.key, *input.spec, call ? kCall : kDispatch);
    CheckInputType(input, call);
    CheckDefault(input);
  }

  void CheckInputType(const Input& input, bool call) {
    static constexpr std::string_view kTypes[] = {"string", "boolean", "number", "choice",
                                                  "environment"};
    const std::span<const std::string_view> types(kTypes, call ? 3 : 5);
    if (input.type_node &&
        std::find(types.begin(), types.end(), input.type_node->text) == types.end()) {
      const std::vector<std::string> words(types.begin(), types.end());
      Diagnostic diagnostic =
          At(input.type_node, "unknown-input-type",
             fmt::format("an input of '{}' cannot have the type '{}'",
                         call ? "workflow_call" : "workflow_dispatch", input.type_node->text),
             DidYouMean(input.type_node->text, types));
      diagnostic.notes.push_back("types are " + JoinWords(words));
      diagnostics_.Report(std::move(diagnostic));
    }
    if (call) return;
    const bool choice = input.type == InputType::kChoice;
    if (choice && (!input.options || input.options->items.empty())) {
      Report(input.key, "missing-key",
             fmt::format("the choice '{}' needs a list of 'options'", input.name));
    } else if (!choice && input.options) {
      Report(FindEntry(input.spec, "options")->key, "unknown-key",
             fmt::format("the input '{}' has options, but its type is {}", input.name,
                         NameOf(input.type)),
             "write 'type: choice'");
    }
  }

  void CheckDefault(const Input& input) {
    const Node* value = input.default_value;
    if (!value || HoldsExpression(value->text)) return;
    if ((input.type == InputType::kBoolean && value->kind != NodeKind::kBoolean) ||
        (input.type == InputType::kNumber && value->kind != NodeKind::kNumber)) {
      Report(value, "input-type",
             fmt::format("the default of the {} '{}' is {}", NameOf(input.type), input.name,
                         DescribeKind(*value)));
      return;
    }
    if (input.type != InputType::kChoice || !input.options) return;
    Names options;
    for (const Node* option : input.options->items) options.push_back(option->text);
    if (std::find(options.begin(), options.end(), value->text) == options.end()) {
      Diagnostic diagnostic = At(
          value, "unknown-choice",
          fmt::format("the default '{}' is none of the options of '{}'", value->text, input.name),
          DidYouMean(value->text, options));
      diagnostic.related.push_back({input.options->where, "the options"});
      diagnostics_.Report(std::move(diagnostic));
    }
  }

  void CheckJob(const Job& job) {
    if (const std::string problem = IdProblem(job.id); !problem.empty()) {
      Report(job.key, "bad-id", fmt::format("'{}' cannot be a job's id: {}", job.id, problem));
    }
    if (!job.node->is_mapping()) {
      Report(job.key, "wrong-kind",
             fmt::format("job '{}' must be a mapping, not {}", job.id, DescribeKind(*job.node)));
      return;
    }
    if (job.uses && (job.steps_field || job.runs_on)) {
      Diagnostic diagnostic =
          At((job.steps_field ? job.steps_field : job.runs_on).key, "uses-and-steps",
             fmt::format("job '{}' calls a workflow, so it cannot have '{}'", job.id,
                         job.steps_field ? "steps" : "runs-on"));
      diagnostic.related.push_back({job.uses.where(), "the call"});
      diagnostics_.Report(std::move(diagnostic));
      return;
    }
    CheckMapping(*job.node, job.key, job.uses ? CallSyntax() : JobSyntax());
    CheckPermissions(job.permissions);
    if (job.uses) {
      CheckCall(job);
      return;
    }
    if (!job.runs_on) {
      Report(job.key, "missing-runs-on",
             fmt::format("job '{}' has neither 'runs-on' nor 'uses'", job.id));
    }
    if (!job.steps_field ||
        (job.steps_field.value->is_sequence() && job.steps_field.value->items.empty())) {
      Report(job.key, "missing-steps", fmt::format("job '{}' has no steps", job.id));
    }
    CheckSteps(job);
  }

  void CheckCall(const Job& job) {
    const std::string_view uses = job.uses.text();
    if (HoldsExpression(uses)) return;  // the check of expressions says so
    const bool local = uses.starts_with("./") || uses.starts_with("$/");
    const std::size_t folder = uses.find(".github/workflows/");
    const std::size_t version = uses.find('@');
    const std::string_view path = uses.substr(0, version);
    std::string problem;
    if (folder == std::string_view::npos || !(path.ends_with(".yml") || path.ends_with(".yaml"))) {
      problem = "a workflow stands in .github/workflows/ and ends with .yml or .yaml";
    } else if (path.find('/', folder + 18) != std::string_view::npos) {
      problem = "GitHub does not look into folders below .github/workflows/";
    } else if (local && version != std::string_view::npos) {
      problem = "a workflow of the same repository has no version";
    } else if (!local && version == std::string_view::npos) {
      problem = "a workflow of another repository needs '@' and a version";
    }
    if (problem.empty()) return;
    Diagnostic diagnostic =
        At(job.uses.value, "bad-uses", fmt::format("'{}' is no workflow that can be called", uses));
    diagnostic.notes.push_back(std::move(problem));
    diagnostics_.Report(std::move(diagnostic));
  }

  void CheckSteps(const Job& job) {
    for (const Step& step : job.steps) {
      const SyntaxLevel& level = step.run && step.uses ? AnyStepSyntax()
                                 : step.run            ? RunStepSyntax()
                                 : step.uses           ? UsesStepSyntax()
                                                       : AnyStepSyntax();
      CheckMapping(*step.node, nullptr, level);
      if (step.run && step.uses) {
        Diagnostic diagnostic =
            At(step.run.key, "uses-and-run", "a step cannot have both 'uses' and 'run'");
        diagnostic.related.push_back({step.uses.where(), "the action"});
        diagnostics_.Report(std::move(diagnostic));
      } else if (!step.run && !step.uses && !step.node->entries.empty()) {
        Report(step.node->entries.front().key, "empty-step", "a step needs 'uses' or 'run'");
      }
      if (step.id) CheckStepId(job, step);
      if (step.uses) CheckAction(step);
      if (step.shell) CheckShell(*step.shell.value);
    }
  }

  void CheckStepId(const Job& job, const Step& step) {
    const std::string_view id = step.id.text();
    if (const std::string problem = IdProblem(id); !problem.empty()) {
      Report(step.id.value, "bad-id", fmt::format("'{}' cannot be a step's id: {}", id, problem));
    }
    for (const Step& other : job.steps) {
      if (&other == &step) return;
      if (other.id && EqualsIgnoringCase(other.id.text(), id)) {
        ReportDuplicate("step", step.id.value, other.id.value);
        return;
      }
    }
  }

  void CheckAction(const Step& step) {
    const std::string_view uses = step.uses.text();
    if (uses.empty() || uses.starts_with("./") || uses.starts_with("../") ||
        uses.starts_with("$/") || uses.starts_with("docker://")) {
      return;
    }
    const std::size_t version = uses.find('@');
    const std::string_view name = uses.substr(0, version);
    std::string problem;
    if (HoldsExpression(uses)) return;
    if (name.find('/') == std::string_view::npos || name.starts_with('/')) {
      problem = "an action is named owner/name@version, ./folder or docker://image";
    } else if (version == std::string_view::npos || version + 1 == uses.size()) {
      problem = "an action of another repository needs '@' and a version";
    }
    if (problem.empty()) return;
    Diagnostic diagnostic = At(step.uses.value, "bad-uses", fmt::format("'{}' is no action", uses));
    diagnostic.notes.push_back(std::move(problem));
    diagnostics_.Report(std::move(diagnostic));
  }

  void CheckShell(const Node& shell) {
    static constexpr std::string_view kShells[] = {"bash",       "sh",  "pwsh",
                                                   "powershell", "cmd", "python"};
    if (shell.text.find("{0}") != std::string_view::npos || HoldsExpression(shell.text)) return;
    if (std::find(std::begin(kShells), std::end(kShells), shell.text) != std::end(kShells)) return;
    Diagnostic diagnostic =
        At(&shell, "unknown-shell", fmt::format("there is no shell '{}'", shell.text),
           DidYouMean(shell.text, kShells));
    diagnostic.notes.push_back(
        "a command of your own must hold {0}, which becomes the script's path");
    diagnostics_.Report(std::move(diagnostic));
  }

  const Workflow& workflow_;
  Diagnostics& diagnostics_;
};

}  // namespace

std::string IdProblem(std::string_view id) {
  if (id.empty()) return "it is empty";
  if (id.size() >= 100) return fmt::format("it has {} characters, and GitHub takes 99", id.size());
  if (id.starts_with("__")) return "names that start with '__' are GitHub's own";
  if (!IsLetter(id[0]) && id[0] != '_') return "it must start with a letter or '_'";
  for (const char c : id) {
    if (!IsLetter(c) && !IsDigit(c) && c != '_' && c != '-') {
      return "it may have letters, digits, '-' and '_' only";
    }
  }
  return "";
}

void CheckSyntax(const Workflow& workflow, Diagnostics& diagnostics) {
  SyntaxCheck(workflow, diagnostics).Run();
}

}  // namespace wheelwright
