// What starts a workflow, and what it is started with.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "generator/workflow/cron.h"
#include "generator/workflow/syntax_check.h"

namespace wheelwright {
namespace {

using Names = std::vector<std::string_view>;

class TriggerCheck : private SyntaxReporter {
 public:
  TriggerCheck(const Workflow& workflow, Diagnostics& diagnostics)
      : SyntaxReporter(diagnostics), workflow_(workflow) {}

  void Run() {
    for (const Event& event : workflow_.events) CheckEvent(event);
    CheckDuplicateNames("input", workflow_.call_inputs);
    CheckDuplicateNames("input", workflow_.dispatch_inputs);
    for (const Input& input : workflow_.call_inputs) CheckInput(input, true);
    for (const Input& input : workflow_.dispatch_inputs) CheckInput(input, false);
  }

 private:
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
        Diagnostic diagnostic = At(entry.key, "unknown-key",
                                   fmt::format("the event '{}' has no key '{}'", event.name, key),
                                   DidYouMean(key, filters));
        // GitHub passes over it there.
        if (event.name == "workflow_dispatch") diagnostic.severity = Severity::kWarning;
        Report(std::move(diagnostic));
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
      Report(std::move(diagnostic));
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
      Report(std::move(diagnostic));
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
    static constexpr SyntaxKey kCallInputKeys[] = {{"description", kText},
                                                   {"type", kNonEmpty, nullptr, 0, true},
                                                   {"required", kBoolean},
                                                   {"default", kText | kNumber | kBoolean},
                                                   {"deprecationMessage", kText}};
    static constexpr SyntaxKey kDispatchInputKeys[] = {{"description", kText},
                                                       {"type", kNonEmpty},
                                                       {"required", kBoolean},
                                                       {"default", kText | kNumber | kBoolean},
                                                       {"options", kList, nullptr, kNonEmpty},
                                                       {"deprecationMessage", kText}};
    static constexpr SyntaxLevel kCall{"an input of 'workflow_call'", kCallInputKeys};
    static constexpr SyntaxLevel kDispatch{"an input of 'workflow_dispatch'", kDispatchInputKeys};
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
      Report(std::move(diagnostic));
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
      Report(std::move(diagnostic));
    }
  }

  const Workflow& workflow_;
};

}  // namespace

void CheckTriggers(const Workflow& workflow, Diagnostics& diagnostics) {
  TriggerCheck(workflow, diagnostics).Run();
}

}  // namespace wheelwright
