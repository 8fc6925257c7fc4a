#include "generator/link/reduce.h"

#include <algorithm>
#include <cstdint>
#include <vector>

#include "base/text.h"
#include "generator/workflow/report.h"

namespace wheelwright {
namespace {

class Reduction {
 public:
  Reduction(Workflow& workflow, Arena& arena) : workflow_(workflow), arena_(arena) {}

  ReducedNeeds Run() {
    ReducedNeeds result;
    for (const Job& job : workflow_.jobs) result.edges_before += job.needs.size();
    result.edges_after = result.edges_before;
    if (!Resolve() || !Rank()) return result;

    seen_.assign(workflow_.jobs.size(), 0);
    std::vector<Entry> jobs;
    for (std::size_t i = 0; i < workflow_.jobs.size(); ++i) {
      Job& job = workflow_.jobs[i];
      if (job.needs.size() < 2 || !MarkRedundant(i)) continue;
      KeepWhatIsRead(job);
      const auto dropped = static_cast<std::size_t>(std::ranges::count(redundant_, true));
      if (dropped == 0) continue;
      if (jobs.empty()) {
        const auto& entries = workflow_.jobs_field.value->entries;
        jobs.assign(entries.begin(), entries.end());
      }
      RemoveRedundant(job);
      jobs[i].value = job.node;
      result.edges_after -= dropped;
    }
    if (!jobs.empty()) ReplaceJobs(jobs);
    return result;
  }

 private:
  std::span<const std::uint32_t> NeedsOf(std::size_t job) const {
    return std::span(edges_).subspan(first_edge_[job], first_edge_[job + 1] - first_edge_[job]);
  }

  // Resolves names to numbers. False for unknown or duplicate names, which the checks report.
  bool Resolve() {
    first_edge_.reserve(workflow_.jobs.size() + 1);
    for (const Job& job : workflow_.jobs) {
      first_edge_.push_back(edges_.size());
      for (const Need& need : job.needs) {
        const std::int32_t index = workflow_.JobIndex(need.id);
        if (index < 0) return false;
        const auto number = static_cast<std::uint32_t>(index);
        const auto begin = edges_.begin() + static_cast<std::ptrdiff_t>(first_edge_.back());
        if (std::find(begin, edges_.end(), number) != edges_.end()) return false;
        edges_.push_back(number);
      }
    }
    first_edge_.push_back(edges_.size());
    return true;
  }

  // The length of the longest chain below each job. False if there is a cycle.
  bool Rank() {
    const std::size_t count = workflow_.jobs.size();
    rank_.assign(count, 0);
    std::vector<std::uint32_t> open(count, 0);       // needs that have no rank yet
    std::vector<std::uint32_t> first(count + 2, 0);  // the reversed edges
    std::vector<std::uint32_t> users(edges_.size());
    for (const std::uint32_t need : edges_) ++first[need + 2];
    for (std::size_t i = 2; i < first.size(); ++i) first[i] += first[i - 1];
    std::vector<std::uint32_t> ready;
    for (std::uint32_t job = 0; job < count; ++job) {
      const auto needs = NeedsOf(job);
      open[job] = static_cast<std::uint32_t>(needs.size());
      if (needs.empty()) ready.push_back(job);
      for (const std::uint32_t need : needs) users[first[need + 1]++] = job;
    }
    std::size_t ranked = 0;
    while (!ready.empty()) {
      const std::uint32_t job = ready.back();
      ready.pop_back();
      ++ranked;
      for (std::uint32_t at = first[job]; at < first[job + 1]; ++at) {
        const std::uint32_t user = users[at];
        rank_[user] = std::max(rank_[user], rank_[job] + 1);
        if (--open[user] == 0) ready.push_back(user);
      }
    }
    return ranked == count;
  }

  // Sets redundant_ for the needs of a job. A search from each need stops at the lowest rank of the
  // other needs, which makes sparse graphs cheap.
  bool MarkRedundant(std::size_t job) {
    const auto needs = NeedsOf(job);
    std::uint32_t lowest = rank_[needs[0]];
    std::uint32_t highest = lowest;
    for (const std::uint32_t need : needs) {
      lowest = std::min(lowest, rank_[need]);
      highest = std::max(highest, rank_[need]);
    }
    if (lowest == highest) return false;  // none can reach another
    redundant_.assign(needs.size(), false);
    ++stamp_;
    stack_.assign(needs.begin(), needs.end());
    while (!stack_.empty()) {
      const std::uint32_t at = stack_.back();
      stack_.pop_back();
      for (const std::uint32_t below : NeedsOf(at)) {
        if (rank_[below] < lowest || seen_[below] == stamp_) continue;
        seen_[below] = stamp_;
        stack_.push_back(below);
      }
    }
    bool any = false;
    for (std::size_t i = 0; i < needs.size(); ++i) {
      redundant_[i] = seen_[needs[i]] == stamp_;
      any |= redundant_[i];
    }
    return any;
  }

  void KeepWhatIsRead(const Job& job) {
    for (const Entry& entry : job.node->entries) {
      if (entry.key != job.needs_field.key) Look(entry.key->text, *entry.value, job);
    }
  }

  void Look(std::string_view key, const Node& node, const Job& job) {
    for (const Node* item : node.items) Look({}, *item, job);
    for (const Entry& entry : node.entries) Look(entry.key->text, *entry.value, job);
    if (!node.is_string()) return;
    const GithubText& text = workflow_.Text(node.text, key == "if");
    if (!text.valid || text.needs.all) redundant_.assign(job.needs.size(), false);
    for (const std::string_view name : text.needs.names) {
      for (std::size_t i = 0; i < job.needs.size(); ++i) {
        if (EqualsIgnoringCase(job.needs[i].id, name)) redundant_[i] = false;
      }
    }
  }

  void RemoveRedundant(Job& job) {
    const Node& list = *job.needs_field.value;
    std::vector<const Node*> kept;
    std::vector<Need> needs;
    std::size_t at = 0;
    for (const Node* item : list.items) {
      if (item->is_scalar()) {
        if (redundant_[at++]) continue;
        needs.push_back({item->text, item});
      }
      kept.push_back(item);
    }
    if (kept.size() == 1 && !kept[0]->comments) {
      job.needs_field.value = kept[0];
    } else {
      Node* copy = arena_.New<Node>(list);
      copy->items = arena_.Copy(std::span<const Node* const>(kept));
      job.needs_field.value = copy;
    }
    job.needs = arena_.Copy(std::span<const Need>(needs));
    std::vector<Entry> entries(job.node->entries.begin(), job.node->entries.end());
    for (Entry& entry : entries) {
      if (entry.key == job.needs_field.key) entry.value = job.needs_field.value;
    }
    job.node = WithEntries(*job.node, entries);
  }

  void ReplaceJobs(const std::vector<Entry>& jobs) {
    workflow_.jobs_field.value = WithEntries(*workflow_.jobs_field.value, jobs);
    std::vector<Entry> entries(workflow_.root->entries.begin(), workflow_.root->entries.end());
    for (Entry& entry : entries) {
      if (entry.key == workflow_.jobs_field.key) entry.value = workflow_.jobs_field.value;
    }
    workflow_.root = WithEntries(*workflow_.root, entries);
  }

  const Node* WithEntries(const Node& mapping, const std::vector<Entry>& entries) {
    Node* copy = arena_.New<Node>(mapping);
    copy->entries = arena_.Copy(std::span<const Entry>(entries));
    return copy;
  }

  Workflow& workflow_;
  Arena& arena_;
  std::vector<std::size_t> first_edge_;  // of each job in edges_, and the end
  std::vector<std::uint32_t> edges_;
  std::vector<std::uint32_t> rank_;
  std::vector<std::uint32_t> seen_;  // the number of the last search that visited it
  std::uint32_t stamp_ = 0;
  std::vector<std::uint32_t> stack_;
  std::vector<bool> redundant_;
};

}  // namespace

ReducedNeeds ReduceNeeds(Workflow& workflow, Arena& arena) {
  return Reduction(workflow, arena).Run();
}

}  // namespace wheelwright
