#include "generator/link/trusted_jobs.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>

#include "base/text.h"
#include "generator/link/credentials.h"
#include "generator/link/rules.h"
#include "generator/workflow/report.h"

namespace wheelwright {
namespace {

using Values = std::vector<PossibleValue>;

Values ValuesOfText(std::string_view text, const Workflow& workflow) {
  const GithubText& parsed = workflow.Text(text);
  if (parsed.expressions.empty() && !parsed.error) {
    return {{.kind = PossibleValue::Kind::kLiteral, .when = {}, .text = std::string(text)}};
  }
  if (parsed.sole() == nullptr) return {PossibleValue{}};
  Values values = PossibleValuesOf(*parsed.sole());
  std::erase_if(values,
                [](const PossibleValue& v) { return v.kind == PossibleValue::Kind::kMention; });
  return values;
}

void AddLabels(const Node& value, const Workflow& workflow, std::vector<Values>& labels) {
  if (value.is_scalar()) labels.push_back(ValuesOfText(value.text, workflow));
  for (const Node* item : value.items) AddLabels(*item, workflow, labels);
  for (const Entry& entry : value.entries) AddLabels(*entry.value, workflow, labels);
}

TrustedJob Describe(std::string_view file, const Job& job, const Workflow& workflow) {
  TrustedJob trusted{.path = fmt::format("{} job '{}'", file, job.id),
                     .where = job.runs_on ? job.runs_on.value->where : job.key->where,
                     .labels = {},
                     .environment = {}};
  if (job.runs_on) AddLabels(*job.runs_on.value, workflow, trusted.labels);
  if (job.environment) {
    const Node* name = job.environment.value;
    if (name->is_mapping()) name = Find(name, "name");
    if (name != nullptr && name->is_scalar())
      trusted.environment = ValuesOfText(name->text, workflow);
  }
  return trusted;
}

bool UploadsArtifact(const Job& job) {
  return std::ranges::any_of(job.steps, [](const WorkflowStep& step) {
    return step.uses.text().find("upload-artifact") != std::string_view::npos ||
           step.uses.text().find("github-script") != std::string_view::npos;
  });
}

// Whether a value of the job reads `needs.X.outputs` in any form.
bool ReadsOutputs(const Node& node, std::string_view id) {
  if (node.is_scalar()) {
    const std::string_view text = node.text;
    for (std::size_t at = text.find(id); at != std::string_view::npos; at = text.find(id, at + 1)) {
      const std::string_view behind = text.substr(at + id.size());
      if (behind.starts_with(".outputs") || behind.starts_with("'")) return true;
    }
    return text.find("toJSON(needs") != std::string_view::npos;
  }
  return std::ranges::any_of(node.items, [&](const Node* n) { return ReadsOutputs(*n, id); }) ||
         std::ranges::any_of(node.entries,
                             [&](const Entry& entry) { return ReadsOutputs(*entry.value, id); });
}

bool HasCredentials(const Workflow& workflow, const Job& job) {
  if (MayAssumeRole(workflow, job) || job.environment) return true;
  std::vector<ComputedRole> roles;
  for (const WorkflowStep& step : job.steps) FindComputedRoles(step.run.text(), roles);
  return !roles.empty();
}

// Jobs of the file (no calls) that a job needs and whose results it uses.
std::vector<const Job*> Feeders(const Workflow& workflow, const Job& job) {
  std::vector<const Job*> open{&job}, found;
  std::set<const Job*> seen{&job};
  while (!open.empty()) {
    const Job* one = open.back();
    open.pop_back();
    for (const Need& need : one->needs) {
      const Job* before = workflow.FindJob(need.id);
      if (before == nullptr || !seen.insert(before).second) continue;
      open.push_back(before);
      if (before->is_call()) continue;
      if (UploadsArtifact(*before) || ReadsOutputs(*job.node, before->id)) found.push_back(before);
    }
  }
  return found;
}

bool Contradict(const Condition& a, const Condition& b) {
  return a.kind == b.kind && a.name == b.name && a.value != b.value &&
         (a.kind == Condition::Kind::kInputIs || a.kind == Condition::Kind::kEvent);
}

// A role or environment of a domain that a job names or passes to a called workflow.
struct Held {
  std::size_t domain = 0;
  std::string text;
  Condition when;
  SourceRange where;
};

class Check {
 public:
  Check(const Linking& linking, const TrustDomains& domains)
      : linking_(linking), domains_(domains) {}

  void Run() {
    for (const Job& job : linking_.trusted.jobs) {
      std::vector<TrustedJob> reached;
      if (job.is_call()) {
        const WorkflowInterface* callee = Callee(InterfaceName(job.uses.text()));
        if (callee == nullptr) continue;
        reached = TrustedJobsOf(*callee, 0);
        if (reached.empty()) continue;
        for (TrustedJob& one : reached) GiveInputs(one, job, *callee);
      } else {
        if (!HasCredentials(linking_.trusted, job)) continue;
        reached.push_back(Describe(linking_.file.name, job, linking_.trusted));
      }
      const std::vector<Held> held = HeldBy(job);
      if (held.empty()) continue;
      for (const Job* feeder : Feeders(linking_.trusted, job)) {
        if (HasCredentials(linking_.trusted, *feeder)) continue;
        reached.push_back(Describe(linking_.file.name, *feeder, linking_.trusted));
        reached.back().has_credentials = false;
      }
      for (const TrustedJob& one : reached) CheckJob(job, one, held);
    }
  }

 private:
  const WorkflowInterface* Callee(std::string_view name) const {
    return linking_.context.interfaces.Find(name);
  }

  // GitHub allows ten levels of calls; cycles are reported elsewhere.
  std::vector<TrustedJob> TrustedJobsOf(const WorkflowInterface& file, std::size_t level) const {
    std::vector<TrustedJob> jobs = file.trusted_jobs;
    if (level > 10) return jobs;
    for (const CallsOf& calls : file.callees) {
      const WorkflowInterface* callee = Callee(calls.callee());
      if (callee == nullptr) continue;
      for (TrustedJob& job : TrustedJobsOf(*callee, level + 1)) {
        Replace(job, [&](std::string_view input) { return calls.ValuesOf(input, *callee); });
        job.path = fmt::format("{} -> {}", file.name, job.path);
        jobs.push_back(std::move(job));
      }
    }
    return jobs;
  }

  void GiveInputs(TrustedJob& one, const Job& call, const WorkflowInterface& callee) const {
    Replace(one, [&](std::string_view input) -> Values {
      if (call.with && call.with.value->is_mapping()) {
        for (const Entry& entry : call.with.value->entries) {
          if (EqualsIgnoringCase(entry.key->text, input))
            return ValuesOfText(entry.value->text, linking_.trusted);
        }
      }
      return {DefaultOf(callee, input)};
    });
    one.path = fmt::format("{} job '{}' -> {}", linking_.file.name, call.id, one.path);
  }

  // Conditions of a callee refer to its own inputs; outside of it they may hold.
  template <typename Lookup>
  static void Replace(TrustedJob& job, const Lookup& lookup) {
    const auto replace = [&](Values& values) {
      Values replaced;
      for (PossibleValue& value : values) {
        if (value.kind == PossibleValue::Kind::kInput) {
          for (PossibleValue& given : lookup(value.text)) replaced.push_back(std::move(given));
        } else {
          if (value.when.kind != Condition::Kind::kEvent) value.when = {};
          replaced.push_back(std::move(value));
        }
      }
      values = std::move(replaced);
    };
    for (Values& label : job.labels) replace(label);
    replace(job.environment);
  }

  std::vector<Held> HeldBy(const Job& job) {
    std::vector<Held> held;
    if (job.is_call()) {
      if (job.with) Collect(*job.with.value, held);
      return held;
    }
    Collect(*job.node, held);
    if (job.env) CollectRoles(job.env, held);
    if (linking_.trusted.env) {
      Collect(*linking_.trusted.env.value, held);
      CollectRoles(linking_.trusted.env, held);
    }
    for (const WorkflowStep& step : job.steps) {
      CollectRoles(step.with, held);
      CollectRoles(step.env, held);
    }
    if (job.environment) {
      for (const PossibleValue& value : Describe({}, job, linking_.trusted).environment) {
        for (std::size_t i = 0; i < domains_.domains().size(); ++i) {
          const auto& names = domains_.domains()[i].environments;
          const auto is_it = [&](std::string_view one) {
            return EqualsIgnoringCase(one, value.text);
          };
          if (value.kind != PossibleValue::Kind::kLiteral || std::ranges::none_of(names, is_it))
            continue;
          held.push_back({i, value.text, value.when, job.environment.value->where});
        }
      }
    }
    return held;
  }

  void Collect(const Node& node, std::vector<Held>& held) {
    if (node.is_string()) CollectText(node, held);
    for (const Node* item : node.items) Collect(*item, held);
    for (const Entry& entry : node.entries) Collect(*entry.value, held);
  }

  void CollectText(const Node& scalar, std::vector<Held>& held) {
    const auto [at, fresh] = texts_.try_emplace(scalar.text);
    if (fresh) at->second = RolesIn(scalar.text);
    for (const Held& one : at->second) {
      held.push_back(one);
      held.back().where = scalar.where;
    }
  }

  std::vector<Held> RolesIn(std::string_view text) const {
    std::vector<Held> held;
    std::vector<TrustDomains::Found> found;
    domains_.Find(text, found);
    std::erase_if(found, [&](const TrustDomains::Found& one) {
      return domains_.marks()[one.mark].kind != MarkKind::kRole;
    });
    if (found.empty()) return held;
    const Values values = ValuesOfText(text, linking_.trusted);
    for (const TrustDomains::Found& one : found) {
      const TrustDomains::Mark& mark = domains_.marks()[one.mark];
      const auto at = std::ranges::find_if(values, [&](const PossibleValue& value) {
        return value.kind == PossibleValue::Kind::kLiteral &&
               value.text.find(mark.text) != std::string::npos;
      });
      held.push_back({mark.domain, std::string(mark.text),
                      at == values.end() ? Condition{} : at->when, SourceRange{}});
    }
    return held;
  }

  // A computed role may be any. A role from an input is checked at the caller.
  void CollectRoles(const Field& table, std::vector<Held>& held) const {
    if (table.value == nullptr || !table.value->is_mapping()) return;
    for (const Entry& entry : table.value->entries) {
      if (!TakesRole(entry.key->text) || !entry.value->is_scalar()) continue;
      for (const PossibleValue& value : ValuesOfText(entry.value->text, linking_.trusted)) {
        if (value.kind != PossibleValue::Kind::kUnknown) continue;
        for (const TrustDomains::Mark& mark : domains_.marks()) {
          if (mark.kind != MarkKind::kRole) continue;
          held.push_back({mark.domain, std::string(mark.text), value.when, entry.value->where});
        }
      }
    }
  }

  void CheckJob(const Job& job, const TrustedJob& trusted, const std::vector<Held>& held) const {
    for (const Held& one : held) {
      const TrustDomains::Domain& domain = domains_.domains()[one.domain];
      if (domains_.has_runners() && !RunsWithin(trusted, domain, one.when)) {
        return Report(
            job, trusted, one, "untrusted-runner",
            fmt::format("{} on a runner that the domain '{}' does not have",
                        trusted.has_credentials
                            ? fmt::format("a job has {}", DescribeHeld(one))
                            : fmt::format("what goes out with {} is made", DescribeHeld(one)),
                        domain.name),
            domain.runners);
      }
    }
    for (const Held& one : held) {
      const TrustDomains::Domain& domain = domains_.domains()[one.domain];
      if (!trusted.has_credentials || domain.environments.empty()) continue;
      if (!IsIn(trusted.environment, domain.environments, one.when, true)) {
        return Report(job, trusted, one, "missing-environment",
                      fmt::format("a job has {}, and is in no environment of the domain '{}'",
                                  DescribeHeld(one), domain.name),
                      domain.environments);
      }
    }
  }

  static std::string DescribeHeld(const Held& held) {
    return fmt::format("the {} '{}'", held.text.starts_with("arn:") ? "role" : "environment",
                       held.text);
  }

  // A machine has all labels, so one known label is enough. No machine has the label '' or false,
  // the result of a choice that selects none.
  static bool RunsWithin(const TrustedJob& trusted, const TrustDomains::Domain& domain,
                         const Condition& when) {
    return std::ranges::any_of(trusted.labels, [&](Values label) {
      std::erase_if(label, [](const PossibleValue& value) {
        return value.kind == PossibleValue::Kind::kLiteral &&
               (value.text.empty() || value.text == "false");
      });
      return IsIn(label, domain.runners, when, false);
    });
  }

  // Whether the value is one of the names whenever `when` holds. `exact`: only the value with
  // exactly that condition counts, not later alternatives.
  static bool IsIn(const Values& values, const std::vector<std::string_view>& names,
                   const Condition& when, bool exact) {
    const bool chosen =
        exact && !when.always() &&
        std::ranges::any_of(values, [&](const PossibleValue& value) { return value.when == when; });
    bool some = false;
    for (const PossibleValue& value : values) {
      if (chosen ? value.when != when : Contradict(value.when, when)) continue;
      const auto is_it = [&](std::string_view name) {
        return EqualsIgnoringCase(name, value.text);
      };
      if (value.kind != PossibleValue::Kind::kLiteral || std::ranges::none_of(names, is_it)) {
        return false;
      }
      some = true;
    }
    return some;
  }

  void Report(const Job& job, const TrustedJob& trusted, const Held& held, std::string_view code,
              std::string message, const std::vector<std::string_view>& names) const {
    Diagnostic diagnostic = At(job.key, code, std::move(message));
    if (trusted.where.known()) diagnostic.where = trusted.where;
    const std::vector<std::string> words(names.begin(), names.end());
    diagnostic.hint = fmt::format("it has {}", words.empty() ? "none" : JoinWords(words));
    if (job.is_call()) diagnostic.related.push_back({job.uses.value->where, "called here"});
    if (held.where.known()) diagnostic.related.push_back({held.where, "named here"});
    diagnostic.related.push_back({domains_.domains()[held.domain].where, "the domain"});
    diagnostic.notes.push_back(fmt::format("the job: {}", trusted.path));
    if (!held.when.always()) {
      diagnostic.notes.push_back(fmt::format("where {}", wheelwright::Describe(held.when)));
    }
    linking_.Report(std::move(diagnostic));
  }

  const Linking& linking_;
  const TrustDomains& domains_;
  std::unordered_map<std::string_view, std::vector<Held>> texts_;
};

}  // namespace

void FindTrustedJobs(const Workflow& workflow, const TrustDomains& domains,
                     WorkflowInterface& interface) {
  if (!domains.guards_jobs()) return;
  std::set<const Job*> feeders;
  for (const Job& job : workflow.jobs) {
    if (job.is_call() || !HasCredentials(workflow, job)) continue;
    interface.trusted_jobs.push_back(Describe(interface.name, job, workflow));
    for (const Job* feeder : Feeders(workflow, job)) {
      if (!HasCredentials(workflow, *feeder)) feeders.insert(feeder);
    }
  }
  for (const Job& job : workflow.jobs) {
    if (!feeders.contains(&job)) continue;
    interface.trusted_jobs.push_back(Describe(interface.name, job, workflow));
    interface.trusted_jobs.back().has_credentials = false;
  }
}

void CheckTrustedJobs(const Linking& linking) {
  const TrustDomains* domains = linking.context.domains;
  if (domains != nullptr && domains->guards_jobs()) Check(linking, *domains).Run();
}

}  // namespace wheelwright
