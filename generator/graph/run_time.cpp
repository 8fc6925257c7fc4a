#include "generator/graph/run_time.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <tuple>

#include "generator/graph/names.h"

namespace wheelwright {
namespace {

constexpr std::size_t kMostLevels = 10;  // more than GitHub takes

class RunTimer {
 public:
  RunTimer(const GraphSet& set, const MeasuredMinutes& measured) : set_(set), measured_(measured) {}

  RunTime Run(const WorkflowGraph& graph) {
    run_.longest = Add(graph, "", "", 0, -1, 0).minutes;
    Sort();
    return std::move(run_);
  }

 private:
  struct End {
    double minutes = 0;
    std::ptrdiff_t step = -1;  // the one that ends then
  };

  // Gives when the last job ends. `place` tells calls from different lines of templates apart.
  End Add(const WorkflowGraph& graph, const std::string& above, const std::string& place,
          double begins, std::ptrdiff_t waits_for, std::size_t level) {
    std::vector<End> ends(graph.jobs.size());
    std::vector<bool> done(graph.jobs.size());
    End last{begins, waits_for};
    for (std::size_t i = 0; i < graph.jobs.size(); ++i) {
      const End end = AddJob(graph, i, above, place, {begins, waits_for}, level, ends, done);
      if (end.minutes > last.minutes) last = end;
    }
    return last;
  }

  // After what it needs; needs that go round in a circle are cut.
  End AddJob(const WorkflowGraph& graph, std::size_t at, const std::string& above,
             const std::string& place, End start, std::size_t level, std::vector<End>& ends,
             std::vector<bool>& done) {
    if (done[at]) return ends[at];
    done[at] = true;
    ends[at] = start;
    const GraphJob& job = graph.jobs[at];
    End ready = start;
    for (const std::uint32_t need : job.needs) {
      const End end = AddJob(graph, need, above, place, start, level, ends, done);
      if (end.minutes > ready.minutes) ready = end;
    }
    const auto minutes = MinutesOf(graph, job);
    const WorkflowGraph* called = job.calls.empty() ? nullptr : set_.Find(job.calls);
    if (called != nullptr && level < kMostLevels) {
      const std::string inside =
          fmt::format("{}/{}:{}", place, job.where.begin.file, job.where.begin.offset);
      const std::string name = (above.empty() ? "" : above + " \u203a ") +
                               std::string(job.title.substr(0, job.title.find(" | ")));
      return ends[at] = Add(*called, name, inside, ready.minutes, ready.step, level + 1);
    }
    if (!job.calls.empty() && !minutes.second) {
      ++run_.foreign;
      return ends[at] = ready;
    }
    ++run_.jobs;
    run_.minutes += minutes.first;
    const auto [found, added] = step_at_.emplace(
        std::tuple(place, job.where, ready.minutes, minutes.first), run_.steps.size());
    if (added) {
      run_.steps.push_back({.jobs = {},
                            .above = above,
                            .begins = ready.minutes,
                            .minutes = minutes.first,
                            .measured = minutes.second,
                            .waits_for = ready.step});
    }
    run_.steps[found->second].jobs.push_back(&job);
    return ends[at] = {ready.minutes + minutes.first, static_cast<std::ptrdiff_t>(found->second)};
  }

  // And whether they were measured.
  std::pair<double, bool> MinutesOf(const WorkflowGraph& graph, const GraphJob& job) const {
    std::string_view stem = graph.file;
    if (stem.ends_with(".yml")) stem.remove_suffix(4);
    for (const std::string& key :
         {graph.file + "/" + job.id, fmt::format("{}/{}", stem, job.id), job.id}) {
      if (const auto found = measured_.find(key); found != measured_.end()) {
        return {found->second, true};
      }
    }
    return {job.timeout > 0 ? job.timeout : kDefaultTimeout, false};
  }

  void Sort() {
    std::vector<std::size_t> order(run_.steps.size()), now_at(run_.steps.size());
    std::iota(order.begin(), order.end(), 0U);
    std::ranges::stable_sort(order, {}, [&](std::size_t at) { return run_.steps[at].begins; });
    std::vector<RunStep> sorted;
    for (const std::size_t at : order) {
      now_at[at] = sorted.size();
      sorted.push_back(std::move(run_.steps[at]));
    }
    for (RunStep& step : sorted) {
      if (step.waits_for < 0) continue;
      step.waits_for =
          static_cast<std::ptrdiff_t>(now_at[static_cast<std::size_t>(step.waits_for)]);
    }
    run_.steps = std::move(sorted);
  }

  const GraphSet& set_;
  const MeasuredMinutes& measured_;
  RunTime run_;
  std::map<std::tuple<std::string, SourceRange, double, double>, std::size_t> step_at_;
};

}  // namespace

RunTime TimeRun(const GraphSet& set, const WorkflowGraph& graph, const MeasuredMinutes& measured) {
  return RunTimer(set, measured).Run(graph);
}

std::string Duration(double minutes) {
  const auto whole = static_cast<long>(std::lround(minutes));
  if (whole < 60) return fmt::format("{} min", whole);
  if (whole % 60 == 0) return fmt::format("{} h", whole / 60);
  return fmt::format("{} h {} min", whole / 60, whole % 60);
}

std::string StepName(const RunStep& step) {
  std::vector<std::string_view> names, ids;
  for (const GraphJob* job : step.jobs) {
    names.push_back(job->title);
    ids.push_back(job->id);
  }
  std::string name = step.jobs.size() == 1
                         ? step.jobs.front()->title
                         : fmt::format("{} \u00d7 {}", step.jobs.size(),
                                       FindCommonName(names, CommonPrefix(ids)).common);
  return step.above.empty() ? name : step.above + " \u203a " + name;
}

}  // namespace wheelwright
