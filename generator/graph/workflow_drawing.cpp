// From the jobs of a workflow to boxes: chains are found, chains of one shape become one.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <utility>

#include "base/text.h"
#include "generator/graph/jobs.h"
#include "generator/graph/names.h"

namespace wheelwright {
namespace {

constexpr std::size_t kLongestLine = 46;  // characters; more is cut

std::string LastPart(std::string_view path) {
  const std::size_t slash = path.rfind('/');
  return std::string(slash == std::string_view::npos ? path : path.substr(slash + 1));
}

class WorkflowDrawer {
 public:
  WorkflowDrawer(const GraphSet& set, const WorkflowGraph& graph, const DrawOptions& options)
      : set_(set), options_(options), jobs_(graph.jobs) {
    ReduceNeedsOfJobs();
    FindKinds();
  }

  Drawing Draw() {
    std::vector<std::uint32_t> all(jobs_.size());
    std::iota(all.begin(), all.end(), 0U);
    return DrawLevel(all);
  }

 private:
  using Jobs = std::vector<std::uint32_t>;  // sorted
  // Jobs that are drawn as one box: a single one, or a chain.
  struct Unit {
    Jobs jobs;
    bool chain = false;
    std::size_t count = 1;
    std::vector<Jobs> alike;  // all that it stands for, the first included
  };

  // Leaves out needs that follow from others. A job behind all chains, which also reads outputs of
  // one of them, does not belong to that chain then.
  void ReduceNeedsOfJobs() {
    std::vector<Jobs> reduced;
    for (const GraphJob& job : jobs_) {
      std::vector<bool> below(jobs_.size());
      Jobs stack(job.needs);
      while (!stack.empty()) {
        const std::uint32_t at = stack.back();
        stack.pop_back();
        for (const std::uint32_t need : jobs_[at].needs) {
          if (below[need]) continue;
          below[need] = true;
          stack.push_back(need);
        }
      }
      Jobs& needs = reduced.emplace_back(job.needs);
      std::erase_if(needs, [&](std::uint32_t need) { return below[need]; });
    }
    for (std::size_t i = 0; i < jobs_.size(); ++i) jobs_[i].needs = std::move(reduced[i]);
  }

  // Jobs from one place of a template are of one kind.
  void FindKinds() {
    std::map<SourceRange, std::uint32_t> by_place;
    std::vector<std::vector<std::string_view>> names, ids;
    for (const GraphJob& job : jobs_) {
      const auto [at, added] =
          by_place.emplace(job.where, static_cast<std::uint32_t>(by_place.size()));
      if (added) {
        names.emplace_back();
        ids.emplace_back();
      }
      kinds_.push_back(at->second);
      names[at->second].push_back(job.title);
      ids[at->second].push_back(job.id);
    }
    for (std::size_t kind = 0; kind < names.size(); ++kind) {
      names_.push_back(FindCommonName(names[kind], CommonPrefix(ids[kind])));
    }
  }

  Drawing DrawLevel(const Jobs& jobs) {
    std::vector<Unit> units = FindUnits(jobs);
    if (!options_.each_job) Stack(units);
    Drawing drawing;
    if (Draw(units, drawing)) return drawing;
    // Two chains that wait for parts of each other cannot both be one box.
    drawing = {};
    Draw(Singles(jobs), drawing);
    return drawing;
  }

  bool Draw(const std::vector<Unit>& units, Drawing& drawing) {
    for (const Unit& unit : units) drawing.boxes.push_back(DrawUnit(unit));
    drawing.arrows = ArrowsBetween(units);
    return Tidy(drawing);
  }

  static std::vector<Unit> Singles(const Jobs& jobs) {
    std::vector<Unit> units;
    for (const std::uint32_t job : jobs) units.push_back({{job}, false, 1, {{job}}});
    return units;
  }

  std::vector<Unit> FindUnits(const Jobs& jobs) const {
    std::map<std::uint32_t, std::size_t> of_kind;
    for (const std::uint32_t job : jobs) ++of_kind[kinds_[job]];
    // Union-find over the jobs that were unrolled.
    std::map<std::uint32_t, std::uint32_t> root;
    for (const std::uint32_t job : jobs) {
      if (of_kind[kinds_[job]] > 1) root[job] = job;
    }
    const auto find = [&](std::uint32_t job) {
      while (root[job] != job) job = root[job] = root[root[job]];
      return job;
    };
    for (const auto& [job, unused] : root) {
      for (const std::uint32_t need : jobs_[job].needs) {
        if (root.count(need) == 0) continue;
        const std::uint32_t a = find(job);
        const std::uint32_t b = find(need);
        root[std::max(a, b)] = std::min(a, b);
      }
    }
    std::map<std::uint32_t, Jobs> members;  // by root, which is the first of them
    for (const std::uint32_t job : jobs)
      members[root.count(job) > 0 ? find(job) : job].push_back(job);
    std::vector<Unit> units;
    const bool hang_together = members.size() == 1 && jobs.size() > 1;
    for (auto& [first, chain] : members) {
      // Single jobs cannot be divided further, and circles cannot be drawn.
      if (chain.size() == 1 || hang_together || !CanContract(chain)) {
        for (const std::uint32_t job : chain) units.push_back({{job}, false, 1, {{job}}});
      } else {
        units.push_back({chain, true, 1, {chain}});
      }
    }
    std::sort(units.begin(), units.end(),
              [](const Unit& a, const Unit& b) { return a.jobs.front() < b.jobs.front(); });
    return units;
  }

  // Whether no way leads out of the jobs and back into them, so that they may become one box.
  bool CanContract(const Jobs& chain) const {
    // Down from what is outside and needs the chain; to nothing that the chain needs.
    std::vector<bool> inside(jobs_.size()), above(jobs_.size());
    Jobs stack;
    for (const std::uint32_t job : chain) inside[job] = true;
    const auto push = [&](std::uint32_t job) {
      if (inside[job] || above[job]) return;
      above[job] = true;
      stack.push_back(job);
    };
    for (const std::uint32_t job : chain) {
      for (const std::uint32_t need : jobs_[job].needs) push(need);
    }
    while (!stack.empty()) {
      const std::uint32_t job = stack.back();
      stack.pop_back();
      for (const std::uint32_t need : jobs_[job].needs) {
        if (inside[need]) return false;
        push(need);
      }
    }
    return true;
  }

  // Units of one shape, with the same jobs before and behind them, become one.
  void Stack(std::vector<Unit>& units) const {
    std::map<std::string, std::size_t> by_shape;
    std::vector<Unit> stacked;
    const std::vector<std::size_t> unit_of = UnitOfJobs(units);
    for (Unit& unit : units) {
      const auto [at, added] = by_shape.emplace(ShapeOf(unit, units, unit_of), stacked.size());
      if (added) {
        stacked.push_back(std::move(unit));
      } else {
        Unit& first = stacked[at->second];
        ++first.count;
        first.alike.push_back(std::move(unit.jobs));
      }
    }
    units = std::move(stacked);
  }

  std::vector<std::size_t> UnitOfJobs(const std::vector<Unit>& units) const {
    std::vector<std::size_t> unit_of(jobs_.size(), units.size());
    for (std::size_t i = 0; i < units.size(); ++i) {
      for (const Jobs& jobs : units[i].alike) {
        for (const std::uint32_t job : jobs) unit_of[job] = i;
      }
    }
    return unit_of;
  }

  std::string ShapeOf(const Unit& unit, const std::vector<Unit>& units,
                      const std::vector<std::size_t>& unit_of) const {
    const std::size_t own = unit_of[unit.jobs.front()];
    std::vector<std::string> parts;
    const auto is_own = [&](std::uint32_t job) { return unit_of[job] == own; };
    for (const std::uint32_t job : unit.jobs) {
      parts.push_back(fmt::format("{} {} {}", kinds_[job], jobs_[job].calls,
                                  fmt::join(jobs_[job].runs_on, "|")));
      for (const std::uint32_t need : jobs_[job].needs) {
        if (unit_of[need] == units.size()) continue;  // of a level above
        parts.push_back(is_own(need) ? fmt::format("{}>{}", kinds_[need], kinds_[job])
                                     : fmt::format("{}>>{}", need, kinds_[job]));
      }
    }
    for (std::size_t i = 0; i < units.size(); ++i) {
      if (i == own) continue;
      for (const std::uint32_t job : units[i].jobs) {
        for (const std::uint32_t need : jobs_[job].needs) {
          if (is_own(need)) parts.push_back(fmt::format("{}<<{}", kinds_[need], job));
        }
      }
    }
    std::sort(parts.begin(), parts.end());
    return fmt::format("{}", fmt::join(parts, "\n"));
  }

  std::vector<Arrow> ArrowsBetween(const std::vector<Unit>& units) const {
    const std::vector<std::size_t> unit_of = UnitOfJobs(units);
    std::vector<Arrow> arrows;
    for (std::size_t to = 0; to < units.size(); ++to) {
      for (const std::uint32_t job : units[to].jobs) {
        for (const std::uint32_t need : jobs_[job].needs) {
          const std::size_t from = unit_of[need];
          if (from == units.size() || from == to) continue;
          arrows.push_back({static_cast<std::uint32_t>(from), static_cast<std::uint32_t>(to)});
        }
      }
    }
    return arrows;
  }

  Box DrawUnit(const Unit& unit) {
    if (!unit.chain) return DrawJob(unit);
    const std::uint32_t first = unit.jobs.front();
    Box box{.id = "chain_" + jobs_[first].id, .kind = BoxKind::kGroup, .count = unit.count};
    if (unit.count == 1) {
      box.title = Varying(jobs_[first].title, names_[kinds_[first]]);
    } else {
      box.lines = Differences(unit);
    }
    ++depth_;
    box.inside = DrawLevel(unit.jobs);
    --depth_;
    return box;
  }

  // What tells the members of a stack apart.
  std::vector<std::string> Differences(const Unit& unit) const {
    std::vector<std::string_view> names;
    for (const Jobs& jobs : unit.alike) names.push_back(jobs_[jobs.front()].title);
    const CommonName common = FindCommonName(names, "");
    std::vector<std::string> lines = common.varying;
    // What they share and other jobs of the kind do not: "Linux".
    const std::string shared = Varying(common.common, names_[kinds_[unit.alike.front().front()]]);
    if (!shared.empty()) lines.insert(lines.begin(), shared);
    for (std::string& line : lines) line = Shorten(line, kLongestLine, "\u2026");
    return lines;
  }

  Box DrawJob(const Unit& unit) {
    const std::uint32_t at = unit.jobs.front();
    const GraphJob& job = jobs_[at];
    // In a chain, the chain's title says the rest.
    const bool general = unit.count > 1 || depth_ > 0;
    Box box{.id = job.id,
            .kind = job.calls.empty() ? BoxKind::kJob : BoxKind::kCall,
            .title = general ? names_[kinds_[at]].common : job.title,
            .count = unit.count};
    if (unit.count > 1) box.lines = Differences(unit);
    if (!job.calls.empty()) {
      box.lines.push_back(Shorten(LastPart(job.calls), kLongestLine, "\u2026"));
      if (const WorkflowGraph* called = set_.Find(job.calls)) {
        box.file = called->file;
        if (options_.open_levels > 0) {
          box.inside =
              WorkflowDrawer(set_, *called, {options_.each_job, options_.open_levels - 1}).Draw();
        }
      }
    } else if (job.runs_on.size() == 1) {
      box.lines.push_back(Shorten(job.runs_on.front(), kLongestLine, "\u2026"));
    } else if (!job.runs_on.empty()) {
      box.lines.push_back(Shorten(job.runs_on.front(), kLongestLine - 9, "\u2026") +
                          fmt::format(" or {}", Count(job.runs_on.size() - 1, "other")));
    }
    if (job.matrix) box.lines.emplace_back("matrix");
    return box;
  }

  const GraphSet& set_;
  const DrawOptions& options_;
  std::vector<GraphJob> jobs_;
  std::vector<std::uint32_t> kinds_;  // by job
  std::vector<CommonName> names_;     // by kind
  int depth_ = 0;
};

Box DrawTriggers(const WorkflowGraph& graph) {
  Box box{.id = "on", .kind = BoxKind::kTrigger, .title = "on"};
  for (const GraphTrigger& trigger : graph.triggers) {
    std::string line = trigger.event;
    if (!trigger.detail.empty()) line += ": " + trigger.detail;
    box.lines.push_back(Shorten(line, kLongestLine, "\u2026"));
  }
  return box;
}

}  // namespace

Drawing DrawWorkflow(const GraphSet& set, const WorkflowGraph& graph, const DrawOptions& options) {
  Drawing jobs = WorkflowDrawer(set, graph, options).Draw();
  if (graph.triggers.empty()) return jobs;
  Drawing drawing;
  drawing.boxes.push_back(DrawTriggers(graph));
  std::vector<bool> needs(jobs.boxes.size() + 1);
  for (const Arrow& arrow : jobs.arrows) {
    drawing.arrows.push_back({arrow.from + 1, arrow.to + 1});
    needs[arrow.to + 1] = true;
  }
  for (Box& box : jobs.boxes) drawing.boxes.push_back(std::move(box));
  for (std::uint32_t i = 1; i < drawing.boxes.size(); ++i) {
    if (!needs[i]) drawing.arrows.push_back({0, i});
  }
  Tidy(drawing);
  return drawing;
}

Drawing DrawWorkflows(const GraphSet& set, const std::vector<const WorkflowGraph*>& graphs,
                      const DrawOptions& options) {
  if (graphs.size() == 1) return DrawWorkflow(set, *graphs.front(), options);
  Drawing drawing;
  for (const WorkflowGraph* graph : graphs) {
    Box box{.id = graph->file, .kind = BoxKind::kWorkflow, .title = graph->title};
    box.lines.push_back(graph->file);
    box.file = graph->file;
    box.inside = DrawWorkflow(set, *graph, options);
    drawing.boxes.push_back(std::move(box));
  }
  return drawing;
}

}  // namespace wheelwright
