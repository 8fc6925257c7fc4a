#include "generator/link/trust.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_set>
#include <utility>

#include "base/text.h"
#include "generator/expression/values.h"
#include "generator/link/credentials.h"
#include "generator/link/trusted_jobs.h"
#include "generator/workflow/report.h"
#include "generator/yaml/text_places.h"

namespace wheelwright {
namespace {

// The tables of workflow_call and workflow_dispatch with user-defined names.
bool NamesAreFree(std::string_view key) {
  return key == "inputs" || key == "secrets" || key == "outputs";
}

// Finds the touches of one file.
class TouchFinder {
 public:
  TouchFinder(const Workflow& workflow, const TrustDomains& domains, const SourceManager& sources,
              WorkflowInterface& interface)
      : workflow_(workflow), domains_(domains), places_(sources), interface_(interface) {}

  void Run() {
    if (!workflow_.root->is_mapping()) return;
    for (const Entry& entry : workflow_.root->entries) {
      const std::string_view key = entry.key->text;
      if (key == "on") {
        VisitTriggers(*entry.value);
      } else if (key != "jobs" && key != "name" && key != "run-name") {
        Visit(*entry.value, {});
      }
    }
    if (workflow_.env) VisitRoles(workflow_.env.value, {});
    for (const Job& job : workflow_.jobs) VisitJob(job);
  }

 private:
  // Options count for dispatches and defaults for callers that set no value; descriptions do not
  // count.
  void VisitTriggers(const Node& on) {
    for (const Entry& event : on.entries) {
      const bool call = event.key->text == "workflow_call";
      const Condition when = call ? Condition{} : Condition::Event(event.key->text);
      if (!event.value->is_mapping()) Visit(*event.value, when);
      for (const Entry& table : event.value->entries) {
        if (call && table.key->text == "inputs") continue;
        NamesAreFree(table.key->text) ? VisitDeclared(*table.value, when)
                                      : Visit(*table.value, when);
      }
    }
    for (const Input& input : workflow_.call_inputs) {
      if (input.default_value == nullptr) continue;
      Visit(*input.default_value, Condition::InputIs(input.name, input.default_value->text));
    }
  }

  // A declared input may be named `description`.
  void VisitDeclared(const Node& table, const Condition& when) {
    for (const Entry& declared : table.entries) {
      for (const Entry& entry : declared.value->entries) {
        if (entry.key->text != "description") Visit(*entry.value, when);
      }
    }
  }

  void VisitJob(const Job& job) {
    job_ = &job;
    const Condition& when = workflow_.ConditionOf(job.condition);
    for (const Entry& entry : job.node->entries) {
      const std::string_view key = entry.key->text;
      if (key == "steps" && entry.value->is_sequence()) {
        for (const Node* step : entry.value->items) VisitStep(*step, when);
      } else if (key != "name") {
        Visit(*entry.value, when);
      }
    }
    if (job.env) VisitRoles(job.env.value, when);
    if (job.environment && domains_.has_environments()) VisitEnvironment(job, when);
    if (job.runs_on && domains_.has_guarded_runners()) VisitRunner(*job.runs_on.value, when);
    if (job.is_call()) AddCall(job, when);
    job_ = nullptr;
  }

  void VisitStep(const Node& step, const Condition& of_job) {
    const Entry* condition = FindEntry(&step, "if");
    const Condition when =
        condition == nullptr
            ? of_job
            : Both(of_job, workflow_.ConditionOf({condition->key, condition->value}));
    for (const Entry& entry : step.entries) {
      const std::string_view key = entry.key->text;
      if (key != "name") Visit(*entry.value, when);
      if (key == "with" || key == "env") VisitRoles(entry.value, when);
      if (key == "run" && entry.value->is_string()) VisitScript(*entry.value, when);
    }
  }

  void Visit(const Node& node, const Condition& when) {
    if (node.is_scalar()) {
      if (node.is_string()) VisitText(node, when);
      return;
    }
    for (const Node* item : node.items) Visit(*item, when);
    for (const Entry& entry : node.entries) Visit(*entry.value, when);
  }

  void VisitText(const Node& scalar, const Condition& when) {
    // Jobs of a loop repeat their texts, and a lookup of a long text is cheaper than a search.
    constexpr std::size_t kLong = 100;
    if (when.always() && scalar.text.size() > kLong && seen_.contains(scalar.text)) return;
    found_.clear();
    domains_.Find(scalar.text, found_);
    if (found_.empty()) return;
    if (when.always() && !seen_.insert(scalar.text).second) return;
    const auto& parts = workflow_.Text(scalar.text).expressions;
    for (const TrustDomains::Found& found : found_) {
      AddFound(scalar, parts, found.mark, found.offset, when);
    }
  }

  void AddFound(const Node& scalar, std::span<const GithubText::Expression> parts,
                std::uint32_t mark, std::size_t offset, const Condition& when) {
    const std::string_view text = domains_.marks()[mark].text;
    bool understood = false;
    for (const GithubText::Expression& part : parts) {
      if (offset < part.at.inner_begin || offset >= part.at.inner_end) continue;
      const std::size_t at = offset - part.at.inner_begin;
      for (const PossibleValue& value : part.values) {
        if (at < value.begin || at >= value.end || value.text.find(text) == std::string::npos)
          continue;
        understood = true;
        Add(scalar, mark, offset, text.size(), Both(value.when, when));
      }
    }
    if (!understood) Add(scalar, mark, offset, text.size(), when);
  }

  void Add(const Node& scalar, std::uint32_t mark, std::size_t offset, std::size_t length,
           Condition when, bool computed = false) {
    if (Covers(interface_.touches, mark, when)) return;
    Touch touch{.mark = mark,
                .when = std::move(when),
                .computed = computed,
                .where = places_.Locate(scalar, offset, length),
                .job = std::string(job_ != nullptr ? job_->id : ""),
                .path = interface_.name,
                .calls = {}};
    if (job_ != nullptr) touch.path += fmt::format(" job '{}'", job_->id);
    AddTouch(interface_.touches, std::move(touch));
  }

  // Names of environments are common words, so they count only in `environment`.
  void VisitEnvironment(const Job& job, const Condition& when) {
    const Node* value = job.environment.value;
    if (value->is_mapping()) value = wheelwright::Find(value, "name");
    if (value != nullptr && value->is_scalar()) VisitChoice(*value, MarkKind::kEnvironment, when);
  }

  // A label, a list of them, or `group` and `labels`.
  void VisitRunner(const Node& value, const Condition& when) {
    if (value.is_scalar()) return VisitChoice(value, MarkKind::kRunner, when);
    for (const Node* item : value.items) VisitRunner(*item, when);
    for (const Entry& entry : value.entries) VisitRunner(*entry.value, when);
  }

  // A computed role. Literal ones were found before.
  void VisitRole(const Node* value, const Condition& when) {
    if (value == nullptr || !value->is_scalar() || !HoldsExpression(value->text)) return;
    VisitChoice(*value, MarkKind::kRole, when);
  }

  void VisitRoles(const Node* table, const Condition& when) {
    if (table == nullptr || !table->is_mapping()) return;
    for (const Entry& entry : table->entries) {
      if (TakesRole(entry.key->text)) VisitRole(entry.value, when);
    }
  }

  // A script with a role from a variable, a file or a command may assume any.
  void VisitScript(const Node& run, const Condition& when) {
    std::vector<ComputedRole> roles;
    FindComputedRoles(run.text, roles);
    for (const ComputedRole& role : roles) {
      ForEachMark(MarkKind::kRole, [&](std::uint32_t mark, std::string_view text) {
        if (text.starts_with(role.begins)) Add(run, mark, role.offset, role.length, when, true);
      });
    }
  }

  template <typename Do>
  void ForEachMark(MarkKind kind, const Do& visit) const {
    for (std::uint32_t mark = 0; mark < domains_.marks().size(); ++mark) {
      if (domains_.marks()[mark].kind == kind) visit(mark, domains_.marks()[mark].text);
    }
  }

  // A value that is a whole mark. A computed value may be any mark that matches the text around the
  // expressions.
  void VisitChoice(const Node& value, MarkKind kind, const Condition& when) {
    const auto& parts = workflow_.Text(value.text).expressions;
    ForEachMark(kind, [&](std::uint32_t mark, std::string_view name) {
      if (parts.empty()) {
        if (EqualsIgnoringCase(value.text, name)) AddWhole(value, mark, when, false);
        return;
      }
      const std::string before = ToLower(value.text.substr(0, parts.front().at.begin));
      const std::string behind = ToLower(value.text.substr(parts.back().at.end));
      const std::string lower = ToLower(name);
      if (lower.size() < before.size() + behind.size() || !lower.starts_with(before) ||
          !lower.ends_with(behind)) {
        return;
      }
      if (parts.size() > 1) return AddWhole(value, mark, when, true);
      const std::string_view rest = std::string_view(lower).substr(
          before.size(), lower.size() - before.size() - behind.size());
      for (const PossibleValue& one : parts[0].values) {
        AddPossible(value, mark, rest, one, when);
      }
    });
  }

  void AddPossible(const Node& value, std::uint32_t mark, std::string_view wanted,
                   const PossibleValue& possible, const Condition& when) {
    switch (possible.kind) {
      case PossibleValue::Kind::kLiteral:
        if (!EqualsIgnoringCase(possible.text, wanted)) return;
        return AddWhole(value, mark, Both(possible.when, when), false);
      case PossibleValue::Kind::kInput:
        return AddWhole(value, mark, Condition::InputIs(possible.text, wanted), false);
      case PossibleValue::Kind::kUnknown:
        return AddWhole(value, mark, Both(possible.when, when), true);
      case PossibleValue::Kind::kMention:
        return;
    }
  }

  void AddWhole(const Node& value, std::uint32_t mark, Condition when, bool computed) {
    Add(value, mark, 0, value.text.size(), std::move(when), computed);
  }

  void AddCall(const Job& job, const Condition& when) {
    const std::string_view uses = job.uses.text();
    if (!uses.starts_with("./") && !uses.starts_with("$/")) return;
    const std::string_view callee = InterfaceName(uses);
    auto calls = std::ranges::find(interface_.callees, callee, &CallsOf::callee);
    if (calls == interface_.callees.end()) {
      calls = interface_.callees.insert(calls, CallsOf(callee));
    }
    calls->Begin(job.id, job.uses.value->where, when);
    if (!job.with || !job.with.value->is_mapping()) return;
    for (const Entry& entry : job.with.value->entries) {
      const std::string_view input = entry.key->text;
      const std::string_view text = entry.value->text;
      const GithubText& parsed = workflow_.Text(text);
      if (parsed.expressions.empty() && !parsed.error) {
        const bool number = entry.value->kind == NodeKind::kNumber;  // 1.50 becomes 1.5
        number ? calls->Give(input, *TextOf(*entry.value)) : calls->Give(input, text);
      } else if (parsed.whole) {
        calls->Give(input, parsed.expressions[0].values);
      } else {
        calls->GiveAnything(input);
      }
    }
  }

  const Workflow& workflow_;
  const TrustDomains& domains_;
  TextPlaces places_;
  WorkflowInterface& interface_;
  const Job* job_ = nullptr;
  std::vector<TrustDomains::Found> found_;
  std::unordered_set<std::string_view> seen_;
};

}  // namespace

void FindTouches(const Workflow& workflow, const TrustDomains& domains,
                 const SourceManager& sources, WorkflowInterface& interface) {
  if (domains.marks().empty()) return;
  TouchFinder(workflow, domains, sources, interface).Run();
  FindTrustedJobs(workflow, domains, interface);
}

}  // namespace wheelwright
