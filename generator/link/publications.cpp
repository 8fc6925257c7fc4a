#include "generator/link/publications.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "base/text.h"
#include "generator/link/rules.h"

namespace wheelwright {
namespace {

using Publication = WorkflowInterface::Publication;

Field* KeyOfTemplates(Job& job, std::string_view key) {
  return key == "publishes" ? &job.publishes : key == "installs" ? &job.installs : nullptr;
}

bool IsName(const Node& node) {
  return node.is_string() && !node.text.empty() && !HoldsExpression(node.text);
}

// Reports a value that is neither a name nor a list of them.
bool CheckNames(const Field& field, Diagnostics& diagnostics) {
  const Node* wrong = IsName(*field.value) || field.value->is_sequence() ? nullptr : field.value;
  for (const Node* item : field.value->items) {
    if (!IsName(*item)) wrong = item;
  }
  if (wrong == nullptr) return true;
  Diagnostic diagnostic = At(wrong->where.known() ? wrong : field.key, "wrong-kind",
                             fmt::format("'{}' takes a name or a list of names", field.key->text));
  if (wrong->is_string() && HoldsExpression(wrong->text)) {
    diagnostic.notes.emplace_back("names are compared before anything runs");
  }
  diagnostics.Report(std::move(diagnostic));
  return false;
}

const Node* Without(const Node& mapping, const std::vector<Entry>& entries, Arena& arena) {
  Node* copy = arena.New<Node>(mapping);
  copy->entries = arena.Copy(std::span<const Entry>(entries));
  return copy;
}

// Who publishes what, of the jobs in one file.
class PublicationOrder {
 public:
  explicit PublicationOrder(const Linking& linking)
      : linking_(linking), jobs_(linking.workflow.jobs) {
    for (std::size_t i = 0; i < jobs_.size(); ++i) {
      for (const Node* name : NamesIn(jobs_[i].publishes)) {
        Add(name->text, {i, "published here", name->where});
        linking_.usage.publishes.emplace_back(name->text);
      }
      const WorkflowInterface* callee = CalleeOf(jobs_[i]);
      if (callee == nullptr) continue;
      for (const Publication& one : callee->publishes) {
        Add(one.name, {i, "published here, by " + one.path, one.where});
      }
    }
  }

  void Check() {
    for (std::size_t i = 0; i < jobs_.size(); ++i) {
      for (const Node* name : NamesIn(jobs_[i].installs)) {
        CheckInstall(i, {std::string(name->text), {}, name->where}, name);
      }
      const WorkflowInterface* callee = CalleeOf(jobs_[i]);
      if (callee == nullptr) continue;
      for (const Publication& one : callee->installs) CheckInstall(i, one, jobs_[i].uses.value);
    }
  }

 private:
  struct Publisher {
    std::size_t job = 0;
    std::string how;
    SourceRange where;
  };

  void Add(std::string_view name, Publisher publisher) {
    publishers_[std::string(name)].push_back(std::move(publisher));
  }

  const WorkflowInterface* CalleeOf(const Job& job) const {
    return job.is_call() ? linking_.context.interfaces.Find(InterfaceName(job.uses.text()))
                         : nullptr;
  }

  // `path`: of a job in a called workflow, else "".
  void CheckInstall(std::size_t job, const Publication& install, const Node* at) {
    const auto found = publishers_.find(install.name);
    const Diagnostic place = At(at, "unordered-install", {});
    linking_.usage.installs.push_back({.name = install.name,
                                       .job = std::string(jobs_[job].id),
                                       .path = install.path,
                                       .where = place.where,
                                       .instance = place.instance,
                                       .own = install.path.empty(),
                                       .closed = found != publishers_.end()});
    if (found == publishers_.end()) return;
    const std::set<std::size_t> before = Before(job);
    for (const Publisher& publisher : found->second) {
      if (publisher.job == job || before.contains(publisher.job)) continue;
      const std::string_view other = jobs_[publisher.job].id;
      const bool behind = Before(publisher.job).contains(job);
      Diagnostic diagnostic = At(
          at, "unordered-install",
          fmt::format("job '{}' installs '{}', and does not come after job '{}', which publishes "
                      "it",
                      jobs_[job].id, install.name, other),
          behind ? std::string() : fmt::format("add '{}' to its needs", other));
      diagnostic.related.push_back({publisher.where, publisher.how});
      if (!install.path.empty()) diagnostic.notes.push_back("installed by " + install.path);
      if (behind) diagnostic.notes.push_back(fmt::format("job '{}' comes after it", other));
      linking_.Report(std::move(diagnostic));
    }
  }

  // All jobs that end before this one begins.
  std::set<std::size_t> Before(std::size_t job) const {
    std::set<std::size_t> before;
    std::vector<std::size_t> open{job};
    while (!open.empty()) {
      const Job& next = jobs_[open.back()];
      open.pop_back();
      for (const Need& need : next.needs) {
        const std::int32_t index = linking_.workflow.JobIndex(need.id);
        if (index >= 0 && before.insert(static_cast<std::size_t>(index)).second) {
          open.push_back(static_cast<std::size_t>(index));
        }
      }
    }
    return before;
  }

  const Linking& linking_;
  const std::vector<Job>& jobs_;
  std::map<std::string, std::vector<Publisher>, std::less<>> publishers_;
};

// Whether runs that the event starts come after what was published: a person names a version, a
// caller has its own jobs before, and the others follow an earlier run.
bool FollowsPublication(std::string_view event) {
  return event == "workflow_call" || event == "workflow_dispatch" || event == "workflow_run" ||
         event == "repository_dispatch";
}

}  // namespace

void TakeOutPublications(Workflow& workflow, Arena& arena, Diagnostics& diagnostics) {
  if (!workflow.jobs_field || !workflow.jobs_field.value->is_mapping()) return;
  std::vector<Entry> jobs;
  bool changed = false;
  for (std::size_t i = 0; i < workflow.jobs.size(); ++i) {
    Job& job = workflow.jobs[i];
    jobs.push_back(workflow.jobs_field.value->entries[i]);
    std::vector<Entry> kept;
    for (const Entry& entry : job.node->entries) {
      Field* field = KeyOfTemplates(job, entry.key->text);
      if (field == nullptr) {
        kept.push_back(entry);
        continue;
      }
      const Field given{entry.key, entry.value};
      if (CheckNames(given, diagnostics)) *field = given;
    }
    if (kept.size() == job.node->entries.size()) continue;
    changed = true;
    job.node = jobs.back().value = Without(*job.node, kept, arena);
  }
  if (!changed) return;
  workflow.jobs_field.value = Without(*workflow.jobs_field.value, jobs, arena);
  std::vector<Entry> entries(workflow.root->entries.begin(), workflow.root->entries.end());
  for (Entry& entry : entries) {
    if (entry.key == workflow.jobs_field.key) entry.value = workflow.jobs_field.value;
  }
  workflow.root = Without(*workflow.root, entries, arena);
}

void CheckPublications(const Linking& linking) {
  linking.usage.starts_by_itself = std::ranges::any_of(
      linking.workflow.events, [](const Event& event) { return !FollowsPublication(event.name); });
  PublicationOrder(linking).Check();
}

void CheckInstallations(std::span<const FileUsage> files, Diagnostics& diagnostics) {
  std::map<std::string_view, std::string_view> publishers;  // the file of each name
  for (const FileUsage& file : files) {
    for (const std::string& name : file.publishes) publishers.try_emplace(name, file.name);
  }
  std::vector<std::string_view> names;
  for (const auto& [name, file] : publishers) names.push_back(name);
  for (const FileUsage& file : files) {
    for (const JobInstall& one : file.installs) {
      const auto publisher = publishers.find(one.name);
      Diagnostic diagnostic{.code = {}, .where = one.where, .instance = one.instance};
      if (publisher == publishers.end()) {
        if (!one.own) continue;  // reported in its file
        diagnostic.code = "unknown-publication";
        diagnostic.message =
            fmt::format("job '{}' installs '{}', which no job publishes", one.job, one.name);
        diagnostic.hint = DidYouMean(one.name, names, "there are ");
        if (names.empty()) diagnostic.notes.emplace_back("no job has the key 'publishes'");
      } else if (!one.closed && file.starts_by_itself) {
        diagnostic.code = "unordered-install";
        diagnostic.message = fmt::format(
            "job '{}' installs '{}', which no job of its run publishes", one.job, one.name);
        if (!one.path.empty()) diagnostic.notes.push_back("installed by " + one.path);
        diagnostic.notes.push_back(
            fmt::format("{} publishes it; call that here, or start this run by its "
                        "'workflow_run'",
                        publisher->second));
      } else {
        continue;
      }
      diagnostics.Report(std::move(diagnostic));
    }
  }
}

}  // namespace wheelwright
