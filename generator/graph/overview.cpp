// The whole set as one drawing: which workflow calls which.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "base/text.h"
#include "generator/graph/jobs.h"
#include "generator/graph/names.h"

namespace wheelwright {
namespace {

constexpr std::size_t kLongestName = 60;  // characters

std::vector<std::string> CalleesOf(const WorkflowGraph& graph) {
  std::vector<std::string> callees;
  for (const GraphJob& job : graph.jobs) {
    if (!job.calls.empty()) callees.push_back(job.calls);
  }
  std::sort(callees.begin(), callees.end());
  callees.erase(std::unique(callees.begin(), callees.end()), callees.end());
  return callees;
}

// Files that are one box: of one template, calling the same files, started by the same events.
std::string ShapeOf(const WorkflowGraph& graph) {
  std::string shape = graph.template_name;
  for (const std::string& callee : CalleesOf(graph)) shape.append("\ncalls ").append(callee);
  for (const GraphTrigger& trigger : graph.triggers) {
    shape.append("\non ").append(trigger.event).append(" ").append(trigger.detail);
  }
  return shape;
}

class OverviewDrawer {
 public:
  Drawing Draw(const std::vector<const WorkflowGraph*>& graphs) {
    MakeStacks(graphs);
    for (const std::vector<const WorkflowGraph*>& stack : stacks_) AddTriggers(*stack.front());
    for (const auto& stack : stacks_) {
      const std::uint32_t box = AddStack(stack);
      for (const WorkflowGraph* graph : stack) box_of_[graph->file] = box;
    }
    for (const auto& stack : stacks_) AddArrows(*stack.front());
    BreakCircles();
    Tidy(drawing_);
    return std::move(drawing_);
  }

 private:
  void MakeStacks(const std::vector<const WorkflowGraph*>& graphs) {
    std::map<std::string, std::size_t> by_shape;
    for (const WorkflowGraph* graph : graphs) {
      const auto [at, added] = by_shape.emplace(ShapeOf(*graph), stacks_.size());
      if (added) stacks_.emplace_back();
      stacks_[at->second].push_back(graph);
    }
  }

  std::uint32_t Add(Box box) {
    drawing_.boxes.push_back(std::move(box));
    return static_cast<std::uint32_t>(drawing_.boxes.size() - 1);
  }

  void AddTriggers(const WorkflowGraph& graph) {
    for (const GraphTrigger& trigger : graph.triggers) {
      if (trigger.event == "workflow_call" || box_of_.count("on " + trigger.event) > 0) continue;
      box_of_["on " + trigger.event] =
          Add({.id = "on_" + trigger.event, .kind = BoxKind::kTrigger, .title = trigger.event});
    }
  }

  std::uint32_t AddStack(const std::vector<const WorkflowGraph*>& stack) {
    std::vector<std::string_view> files;
    std::size_t fewest = stack.front()->jobs.size();
    std::size_t most = 0;
    for (const WorkflowGraph* graph : stack) {
      files.push_back(graph->file);
      fewest = std::min(fewest, graph->jobs.size());
      most = std::max(most, graph->jobs.size());
    }
    const std::string jobs =
        fewest == most ? Count(most, "job") : fmt::format("{} to {} jobs", fewest, most);
    Box box{.id = stack.front()->file,
            .kind = BoxKind::kWorkflow,
            .title = Shorten(CommonGlob(files), kLongestName, "\u2026"),
            .count = stack.size()};
    box.lines.push_back(stack.size() == 1 ? jobs : jobs + " each");
    if (stack.size() == 1) box.file = stack.front()->file;
    return Add(std::move(box));
  }

  void AddArrows(const WorkflowGraph& graph) {
    const std::uint32_t own = box_of_.at(graph.file);
    for (const GraphTrigger& trigger : graph.triggers) {
      const auto from = box_of_.find("on " + trigger.event);
      if (from != box_of_.end()) drawing_.arrows.push_back({from->second, own});
    }
    for (const std::string& callee : CalleesOf(graph)) {
      auto to = box_of_.find(callee);
      if (to == box_of_.end()) {
        const std::uint32_t foreign = Add({.id = callee,
                                           .kind = BoxKind::kForeign,
                                           .title = Shorten(callee, kLongestName, "\u2026")});
        to = box_of_.emplace(callee, foreign).first;
      }
      if (to->second != own) drawing_.arrows.push_back({own, to->second});
    }
  }

  // Two stacks can call into each other though no two files do. Arrows that would close a circle
  // are left out.
  void BreakCircles() {
    std::vector<Arrow>& arrows = drawing_.arrows;
    std::sort(arrows.begin(), arrows.end());
    std::vector<Arrow> kept;
    for (const Arrow& arrow : arrows) {
      std::vector<bool> seen(drawing_.boxes.size());
      std::vector<std::uint32_t> stack{arrow.to};
      while (!stack.empty() && !seen[arrow.from]) {
        const std::uint32_t at = stack.back();
        stack.pop_back();
        if (seen[at]) continue;
        seen[at] = true;
        for (const Arrow& next : kept) {
          if (next.from == at) stack.push_back(next.to);
        }
      }
      if (!seen[arrow.from]) kept.push_back(arrow);
    }
    arrows = std::move(kept);
  }

  std::vector<std::vector<const WorkflowGraph*>> stacks_;
  std::map<std::string, std::uint32_t, std::less<>> box_of_;  // by file, or "on EVENT"
  Drawing drawing_;
};

}  // namespace

Drawing DrawOverview(const std::vector<const WorkflowGraph*>& graphs) {
  return OverviewDrawer().Draw(graphs);
}

}  // namespace wheelwright
