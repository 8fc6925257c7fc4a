// Paths from an event to what its runs must not reach.
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
    case MarkKind::kEnvironment:
      break;
  }
  return "environment";
}

// A touch that some events of the file reach and must not.
struct Breach {
  const Touch* touch = nullptr;
  std::vector<const Event*> events;
};

class TrustRule {
 public:
  TrustRule(const Linking& linking, const TrustDomains& domains)
      : linking_(linking), domains_(domains) {}

  void Check(std::span<const Touch> touches) {
    std::vector<Breach> breaches;
    for (const Touch& touch : touches) {
      Breach breach{&touch, {}};
      for (const Event& event : linking_.workflow.events) {
        if (event.name == "workflow_call" || IsAllowed(event.name, touch.mark)) continue;
        if (MayHold(touch.when, event.name, linking_.workflow)) breach.events.push_back(&event);
      }
      if (!breach.events.empty()) breaches.push_back(std::move(breach));
    }
    // One report for all that stands in one value: a choice between domains.
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
      linking_.Report(std::move(diagnostic));
    }
  }

 private:
  bool IsAllowed(std::string_view event, std::uint32_t mark) const {
    const auto& triggers = domains_.DomainOf(mark).triggers;
    return std::ranges::find(triggers, event) != triggers.end();
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
    for (const Event* event : breach.events) events.emplace_back(event->name);
    const Workflow& workflow = linking_.workflow;
    const Job* job = touch.job.empty() ? nullptr : workflow.FindJob(touch.job);
    const bool job_scope = job != nullptr && job->key->scope != nullptr;
    Diagnostic diagnostic =
        At(job_scope ? job->key : workflow.root, "untrusted-path",
           fmt::format("{} {} {}", JoinWords(events), events.size() == 1 ? "reaches" : "reach",
                       DescribeMark(touch.mark)));
    const SourceRange event_place = breach.events[0]->key->where;
    diagnostic.where = touch.where.known() ? touch.where : event_place;
    for (const Event* event : breach.events) {
      diagnostic.related.push_back({event->key->where, fmt::format("{} starts here", event->name)});
    }
    for (const SourceRange& call : touch.calls) {
      if (call.known()) diagnostic.related.push_back({call, "called here"});
    }
    std::vector<std::string> triggers(domain.triggers.begin(), domain.triggers.end());
    diagnostic.related.push_back(
        {domain.where, triggers.empty()
                           ? "no event may reach this domain"
                           : fmt::format("only {} may reach this domain", JoinWords(triggers))});
    diagnostic.notes.push_back(fmt::format("the path: {}", touch.path));
    if (!touch.when.always()) {
      diagnostic.notes.push_back(
          fmt::format("it is taken where {}", wheelwright::Describe(touch.when)));
    }
    diagnostic.notes.push_back(DescribeAllowed(events[0]));
    return diagnostic;
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

  const Linking& linking_;
  const TrustDomains& domains_;
};

}  // namespace

void CheckTrust(const Linking& linking) {
  const TrustDomains* domains = linking.context.domains;
  const Workflow& workflow = linking.workflow;
  if (domains == nullptr || domains->marks().empty()) return;
  const auto starts = [](const Event& event) { return event.name != "workflow_call"; };
  if (std::ranges::none_of(workflow.events, starts)) return;

  TrustRule rule(linking, *domains);
  const InterfaceSet& interfaces = linking.context.interfaces;
  if (const WorkflowInterface* known = interfaces.Find(linking.file.name)) {
    rule.Check(known->touches);
    return;
  }
  WorkflowInterface own;
  own.name = linking.file.name;
  FindTouches(workflow, *domains, linking.context.sources, own);
  for (const CallsOf& calls : own.callees) {
    const WorkflowInterface* callee = interfaces.Find(calls.callee());
    if (callee != nullptr) calls.Inherit(own.name, *callee, own.touches);
  }
  rule.Check(own.touches);
}

}  // namespace wheelwright
