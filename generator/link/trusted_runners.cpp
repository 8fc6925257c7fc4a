// The runners and environments of jobs that have credentials, or that make what such a job uses.

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>

#include "base/text.h"
#include "generator/link/credentials.h"
#include "generator/link/rules.h"
#include "generator/link/trusted_jobs.h"
#include "generator/workflow/report.h"

namespace wheelwright {
namespace {

using Values = std::vector<PossibleValue>;

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
  std::string_view written;  // the value with the name
};

class Check {
 public:
  Check(const Linking& linking, const TrustDomains& domains)
      : linking_(linking), domains_(domains) {}

  void Run() {
    for (const Job& job : linking_.trusted.jobs) job.is_call() ? CheckCall(job) : CheckOwn(job);
  }

 private:
  // The trusted jobs of a workflow and of all that it calls, and the inputs that decide about them.
  struct Reached {
    std::vector<TrustedJob> jobs;
    std::set<std::string> inputs;
  };

  void CheckOwn(const Job& job) {
    if (!HasCredentials(linking_.trusted, job)) return;
    const std::vector<Held> held = HeldBy(job);
    if (held.empty()) return;
    CheckJob(job, DescribeTrustedJob(linking_.file.name, job, linking_.trusted), held);
    for (const Job* feeder : FeedersOf(linking_.trusted, job)) CheckFeeder(job, *feeder, held);
  }

  // Unrolled calls repeat what decides here, so each combination is checked until it has no error.
  void CheckCall(const Job& job) {
    const WorkflowInterface* callee = Callee(InterfaceName(job.uses.text()));
    if (callee == nullptr) return;
    const Reached& reached = ReachedBy(*callee);
    if (reached.jobs.empty()) return;
    const std::vector<Held> held = HeldBy(job);
    if (held.empty()) return;
    const std::vector<const Job*> feeders = FeedersOf(linking_.trusted, job);
    std::vector<std::string_view> decides{callee->name};
    for (const Held& one : held) decides.push_back(one.written);
    for (const Job* feeder : feeders) decides.push_back(feeder->id);
    for (const std::string& input : reached.inputs) {
      const Entry* given = GivenTo(job, input);
      decides.push_back(given != nullptr ? given->value->text : std::string_view());
    }
    if (good_.contains(decides)) return;
    bool good = true;
    for (TrustedJob one : reached.jobs) {
      GiveInputs(one, job, *callee);
      good &= CheckJob(job, one, held);
    }
    for (const Job* feeder : feeders) good &= CheckFeeder(job, *feeder, held);
    if (good) good_.insert(std::move(decides));
  }

  bool CheckFeeder(const Job& job, const Job& feeder, const std::vector<Held>& held) const {
    TrustedJob trusted = DescribeTrustedJob(linking_.file.name, feeder, linking_.trusted);
    trusted.has_credentials = false;
    return CheckJob(job, trusted, held);
  }

  const Reached& ReachedBy(const WorkflowInterface& callee) {
    const auto [at, fresh] = reached_.try_emplace(&callee);
    Reached& reached = at->second;
    if (!fresh) return reached;
    reached.jobs = TrustedJobsOf(callee, 0);
    const auto add = [&](const Values& values) {
      for (const PossibleValue& value : values) {
        if (value.kind == PossibleValue::Kind::kInput) reached.inputs.insert(value.text);
      }
    };
    for (const TrustedJob& job : reached.jobs) {
      add(job.environment);
      for (const Values& label : job.labels) add(label);
    }
    return reached;
  }

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

  static const Entry* GivenTo(const Job& call, std::string_view input) {
    if (!call.with) return nullptr;
    const auto& entries = call.with.value->entries;
    const auto at = std::ranges::find_if(
        entries, [&](const Entry& one) { return EqualsIgnoringCase(one.key->text, input); });
    return at != entries.end() ? &*at : nullptr;
  }

  void GiveInputs(TrustedJob& one, const Job& call, const WorkflowInterface& callee) const {
    Replace(one, [&](std::string_view input) -> Values {
      const Entry* given = GivenTo(call, input);
      if (given == nullptr) return {DefaultOf(callee, input)};
      return PossibleValuesOf(given->value->text, linking_.trusted);
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
      for (const PossibleValue& value : DescribeTrustedJob({}, job, linking_.trusted).environment) {
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
      held.back().written = scalar.text;
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
    const Values values = PossibleValuesOf(text, linking_.trusted);
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
      for (const PossibleValue& value : PossibleValuesOf(entry.value->text, linking_.trusted)) {
        if (value.kind != PossibleValue::Kind::kUnknown) continue;
        for (const TrustDomains::Mark& mark : domains_.marks()) {
          if (mark.kind != MarkKind::kRole) continue;
          held.push_back({mark.domain, std::string(mark.text), value.when, entry.value->where});
        }
      }
    }
  }

  // False after a report.
  bool CheckJob(const Job& job, const TrustedJob& trusted, const std::vector<Held>& held) const {
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
    return true;
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

  // Always false.
  bool Report(const Job& job, const TrustedJob& trusted, const Held& held, std::string_view code,
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
      diagnostic.notes.push_back(fmt::format("where {}", Describe(held.when)));
    }
    linking_.Report(std::move(diagnostic));
    return false;
  }

  const Linking& linking_;
  const TrustDomains& domains_;
  std::unordered_map<std::string_view, std::vector<Held>> texts_;
  std::unordered_map<const WorkflowInterface*, Reached> reached_;
  std::set<std::vector<std::string_view>> good_;  // what decides about calls without an error
};

}  // namespace

void CheckTrustedJobs(const Linking& linking) {
  const TrustDomains* domains = linking.context.domains;
  if (domains != nullptr && domains->guards_jobs()) Check(linking, *domains).Run();
}

}  // namespace wheelwright
