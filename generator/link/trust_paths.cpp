// Reports paths from an event to roles, buckets and environments that its runs must not reach.
#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <utility>

#include "base/text.h"
#include "generator/link/rules.h"
#include "generator/link/trust.h"

namespace wheelwright {
namespace {

std::string_view NameOf(MarkKind kind) {
  switch (kind) {
    case MarkKind::kRole:
      return "role";
    case MarkKind::kBucket:
      return "bucket";
    case MarkKind::kRunner:
      return "runner";
    case MarkKind::kEnvironment:
      break;
  }
  return "environment";
}

// A touch that some events of the file reach but must not.
struct Breach {
  const Touch* touch = nullptr;
  std::vector<const WorkflowInterface::Start*> starts;
};

class TrustRule {
 public:
  // `workflow` may be null if its tree is gone; then places have no instances.
  TrustRule(const WorkflowInterface& interface, const Workflow* workflow,
            const TrustDomains& domains, Diagnostics& diagnostics)
      : interface_(interface), workflow_(workflow), domains_(domains), diagnostics_(diagnostics) {}

  void Check(std::span<const Touch> touches) {
    std::vector<Breach> breaches;
    for (const Touch& touch : touches) {
      Breach breach{&touch, {}};
      for (const WorkflowInterface::Start& start : interface_.starts) {
        if (IsAllowed(start.event, touch.mark)) continue;
        if (MayHold(touch.when, start.event, interface_)) breach.starts.push_back(&start);
      }
      if (!breach.starts.empty()) breaches.push_back(std::move(breach));
    }
    // One report for one value, which may select among domains.
    for (std::size_t i = 0; i < breaches.size(); ++i) {
      const Breach& breach = breaches[i];
      const auto earlier = std::span(breaches).first(i);
      if (std::ranges::any_of(earlier, [&](const Breach& b) { return SamePlace(b, breach); })) {
        continue;
      }
      Diagnostic diagnostic = Describe(breach);
      for (const Breach& other : std::span(breaches).subspan(i + 1)) {
        if (!SamePlace(other, breach) || other.touch->mark == breach.touch->mark) continue;
        diagnostic.notes.push_back(
            fmt::format("the same value reaches {}", DescribeMark(other.touch->mark)));
      }
      diagnostics_.Report(std::move(diagnostic));
    }
  }

 private:
  bool IsAllowed(std::string_view event, std::uint32_t mark) const {
    const auto allows = [&](std::size_t domain) {
      const auto& triggers = domains_.domains()[domain].triggers;
      return std::ranges::find(triggers, event) != triggers.end();
    };
    const TrustDomains::Mark& one = domains_.marks()[mark];
    return allows(one.domain) || std::ranges::any_of(one.others, allows);
  }

  static bool SamePlace(const Breach& a, const Breach& b) {
    return a.touch->where.known() && a.touch->where == b.touch->where;
  }

  std::string DescribeMark(std::uint32_t mark) const {
    const TrustDomains::Mark& one = domains_.marks()[mark];
    return fmt::format("the {} '{}' of the domain '{}'", NameOf(one.kind), one.text,
                       domains_.DomainOf(mark).name);
  }

  Diagnostic Describe(const Breach& breach) const {
    const Touch& touch = *breach.touch;
    const TrustDomains::Domain& domain = domains_.DomainOf(touch.mark);
    std::vector<std::string> events;
    for (const WorkflowInterface::Start* start : breach.starts) events.push_back(start->event);
    Diagnostic diagnostic = Begin(touch);
    diagnostic.code = "untrusted-path";
    diagnostic.message =
        fmt::format("{} {} {}", JoinWords(events), events.size() == 1 ? "reaches" : "reach",
                    DescribeMark(touch.mark));
    diagnostic.where = touch.where.known() ? touch.where : breach.starts[0]->where;
    for (const WorkflowInterface::Start* start : breach.starts) {
      diagnostic.related.push_back({start->where, fmt::format("{} starts here", start->event)});
    }
    for (const Touch::Hop& hop : touch.calls) {
      if (!hop.where.known()) continue;
      diagnostic.related.push_back(
          {hop.where, hop.starts_run ? "starts a run here" : "called here"});
    }
    std::vector<std::string> triggers(domain.triggers.begin(), domain.triggers.end());
    diagnostic.related.push_back(
        {domain.where, triggers.empty()
                           ? "no event may reach this domain"
                           : fmt::format("only {} may reach this domain", JoinWords(triggers))});
    diagnostic.notes.push_back(fmt::format("the path: {}", touch.path));
    if (touch.computed) {
      diagnostic.notes.push_back("this value is only known in the run, so it counts as any");
    }
    if (!touch.when.always()) {
      diagnostic.notes.push_back(
          fmt::format("it is taken where {}", wheelwright::Describe(touch.when)));
    }
    diagnostic.notes.push_back(DescribeAllowed(events[0]));
    return diagnostic;
  }

  // With the instance that the path begins in.
  Diagnostic Begin(const Touch& touch) const {
    Diagnostic diagnostic;
    if (workflow_ == nullptr) {
      diagnostic.instance = interface_.instance;
      return diagnostic;
    }
    const Job* job = touch.job.empty() ? nullptr : workflow_->FindJob(touch.job);
    const bool job_scope = job != nullptr && job->key->scope != nullptr;
    return At(job_scope ? job->key : workflow_->root, "untrusted-path", {});
  }

  std::string DescribeAllowed(const std::string& event) const {
    std::vector<std::string> names;
    for (const TrustDomains::Domain& domain : domains_.domains()) {
      if (std::ranges::find(domain.triggers, event) == domain.triggers.end()) continue;
      names.push_back(fmt::format("'{}'", domain.name));
    }
    return names.empty() ? fmt::format("{} may reach no domain", event)
                         : fmt::format("{} may reach {}", event, JoinWords(names));
  }

  const WorkflowInterface& interface_;
  const Workflow* workflow_;
  const TrustDomains& domains_;
  Diagnostics& diagnostics_;
};

}  // namespace

void CheckTrust(const Linking& linking) {
  const TrustDomains* domains = linking.context.domains;
  if (domains == nullptr || domains->marks().empty()) return;
  const InterfaceSet& interfaces = linking.context.interfaces;
  const WorkflowInterface* known = interfaces.Find(linking.file.name);
  if (known == nullptr) {
    WorkflowInterface& own = *linking.usage.own;
    for (const CallsOf& calls : own.callees) {
      const WorkflowInterface* callee = interfaces.Find(calls.callee());
      if (callee != nullptr) calls.Inherit(own.name, *callee, callee->touches, own.touches);
    }
    known = &own;
  }
  TrustRule(*known, &linking.workflow, *domains, linking.diagnostics).Check(known->touches);
}

void CheckPaths(const WorkflowInterface& interface, std::span<const Touch> touches,
                const TrustDomains& domains, Diagnostics& diagnostics) {
  TrustRule(interface, nullptr, domains, diagnostics).Check(touches);
}

}  // namespace wheelwright
