#include "generator/link/trusted_jobs.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string>
#include <utility>

#include "generator/link/credentials.h"
#include "generator/yaml/node.h"

namespace wheelwright {
namespace {

void AddLabels(const Node& value, const Workflow& workflow,
               std::vector<std::vector<PossibleValue>>& labels) {
  if (value.is_scalar()) labels.push_back(PossibleValuesOf(value.text, workflow));
  for (const Node* item : value.items) AddLabels(*item, workflow, labels);
  for (const Entry& entry : value.entries) AddLabels(*entry.value, workflow, labels);
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

}  // namespace

std::vector<PossibleValue> PossibleValuesOf(std::string_view text, const Workflow& workflow) {
  const GithubText& parsed = workflow.Text(text);
  if (parsed.expressions.empty() && !parsed.error) {
    return {{.kind = PossibleValue::Kind::kLiteral, .when = {}, .text = std::string(text)}};
  }
  if (parsed.sole() == nullptr) return {PossibleValue{}};
  std::vector<PossibleValue> values = parsed.expressions[0].values;
  std::erase_if(values,
                [](const PossibleValue& v) { return v.kind == PossibleValue::Kind::kMention; });
  return values;
}

TrustedJob DescribeTrustedJob(std::string_view file, const Job& job, const Workflow& workflow) {
  TrustedJob trusted{.path = fmt::format("{} job '{}'", file, job.id),
                     .where = job.runs_on ? job.runs_on.value->where : job.key->where,
                     .labels = {},
                     .environment = {}};
  if (job.runs_on) AddLabels(*job.runs_on.value, workflow, trusted.labels);
  if (job.environment) {
    const Node* name = job.environment.value;
    if (name->is_mapping()) name = Find(name, "name");
    if (name != nullptr && name->is_scalar())
      trusted.environment = PossibleValuesOf(name->text, workflow);
  }
  return trusted;
}

bool HasCredentials(const Workflow& workflow, const Job& job) {
  if (MayAssumeRole(workflow, job) || job.environment) return true;
  std::vector<ComputedRole> roles;
  for (const WorkflowStep& step : job.steps) FindComputedRoles(step.run.text(), roles);
  return !roles.empty();
}

std::vector<const Job*> FeedersOf(const Workflow& workflow, const Job& job) {
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
      if (!HasCredentials(workflow, *before) &&
          (UploadsArtifact(*before) || ReadsOutputs(*job.node, before->id))) {
        found.push_back(before);
      }
    }
  }
  return found;
}

void FindTrustedJobs(const Workflow& workflow, const TrustDomains& domains,
                     WorkflowInterface& interface) {
  if (!domains.guards_jobs()) return;
  std::set<const Job*> feeders;
  for (const Job& job : workflow.jobs) {
    if (job.is_call() || !HasCredentials(workflow, job)) continue;
    interface.trusted_jobs.push_back(DescribeTrustedJob(interface.name, job, workflow));
    for (const Job* feeder : FeedersOf(workflow, job)) feeders.insert(feeder);
  }
  for (const Job& job : workflow.jobs) {
    if (!feeders.contains(&job)) continue;
    interface.trusted_jobs.push_back(DescribeTrustedJob(interface.name, job, workflow));
    interface.trusted_jobs.back().has_credentials = false;
  }
}

}  // namespace wheelwright
