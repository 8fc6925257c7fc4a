// Checks `needs`: every name is a job, and there is no cycle.
#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "generator/link/rules.h"

namespace wheelwright {
namespace {

void ReportUnknown(const Linking& linking, const Job& job, const Need& need) {
  if (linking.diagnostics.Repeat("unknown-need", need.node->where)) return;
  // Only the first errors get a suggestion, since each compares with every job.
  constexpr std::size_t kMostSuggestions = 100;
  std::vector<std::string_view> ids;
  for (const Job& other : linking.workflow.jobs) {
    if (linking.diagnostics.entries().size() >= kMostSuggestions) break;
    if (&other != &job) ids.push_back(other.id);
  }
  linking.Report(
      At(need.node, "unknown-need",
         fmt::format("job '{}' needs '{}', which is no job of this workflow", job.id, need.id),
         DidYouMean(need.id, ids)));
}

void CheckJob(const Linking& linking, const Job& job) {
  for (std::size_t i = 0; i < job.needs.size(); ++i) {
    const Need& need = job.needs[i];
    if (HoldsExpression(need.id)) continue;  // reported by the check of expressions
    if (EqualsIgnoringCase(need.id, job.id)) {
      linking.Report(At(need.node, "needs-itself", fmt::format("job '{}' needs itself", job.id)));
      continue;
    }
    if (linking.workflow.JobIndex(need.id) < 0) {
      ReportUnknown(linking, job, need);
      continue;
    }
    for (std::size_t j = 0; j < i; ++j) {
      if (!EqualsIgnoringCase(job.needs[j].id, need.id)) continue;
      Diagnostic diagnostic = At(need.node, "duplicate-need",
                                 fmt::format("job '{}' needs '{}' twice", job.id, need.id));
      diagnostic.related.push_back({job.needs[j].node->where, "first here"});
      linking.Report(std::move(diagnostic));
      break;
    }
  }
}

// Finds cycles by depth-first search without recursion, because a chain may be as long as the file.
class CircleSearch {
 public:
  explicit CircleSearch(const Linking& linking)
      : linking_(linking), state_(linking.workflow.jobs.size(), State::kNew) {}

  void Run() {
    for (std::size_t i = 0; i < state_.size(); ++i) {
      if (state_[i] == State::kNew && !linking_.workflow.jobs[i].needs.empty()) Walk(i);
    }
  }

 private:
  enum class State : std::uint8_t { kNew, kOpen, kDone };
  struct Frame {
    std::size_t job;
    std::size_t next = 0;  // of its needs
  };

  void Walk(std::size_t start) {
    stack_.assign(1, {start});
    state_[start] = State::kOpen;
    while (!stack_.empty()) {
      Frame& top = stack_.back();
      const Job& job = linking_.workflow.jobs[top.job];
      if (top.next == job.needs.size()) {
        state_[top.job] = State::kDone;
        stack_.pop_back();
        continue;
      }
      const Need& need = job.needs[top.next++];
      const std::int32_t index = linking_.workflow.JobIndex(need.id);
      if (index < 0) continue;
      const auto next = static_cast<std::size_t>(index);
      if (state_[next] == State::kOpen) {
        if (next != top.job) ReportCircle(need, next);
      } else if (state_[next] == State::kNew) {
        state_[next] = State::kOpen;
        stack_.push_back({next});
      }
    }
  }

  void ReportCircle(const Need& need, std::size_t first) {
    std::string circle;
    auto at = std::find_if(stack_.begin(), stack_.end(),
                           [&](const Frame& frame) { return frame.job == first; });
    for (; at != stack_.end(); ++at) {
      circle += fmt::format("{} -> ", linking_.workflow.jobs[at->job].id);
    }
    circle += linking_.workflow.jobs[first].id;
    linking_.Report(
        At(need.node, "needs-cycle", fmt::format("jobs need each other in a circle: {}", circle)));
  }

  const Linking& linking_;
  std::vector<State> state_;
  std::vector<Frame> stack_;
};

}  // namespace

void CheckNeeds(const Linking& linking) {
  for (const Job& job : linking.workflow.jobs) {
    if (!job.needs.empty()) CheckJob(linking, job);
    linking.usage.needs_edges += job.needs.size();
  }
  CircleSearch(linking).Run();
}

}  // namespace wheelwright
