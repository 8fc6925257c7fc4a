// The jobs of one workflow as a graph: what draws them needs of a workflow's tree.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/source.h"
#include "generator/expression/scope.h"
#include "generator/graph/drawing.h"
#include "generator/workflow/model.h"

namespace wheelwright {

struct GraphJob {
  std::string id;
  std::string title;                 // its name, or its id where only GitHub knows the name
  std::string calls;                 // InterfaceName of the workflow that it calls, or ""
  std::vector<std::string> runs_on;  // what `runs-on` can be; empty when only GitHub knows
  std::vector<std::uint32_t> needs;  // positions
  double timeout = 0;                // `timeout-minutes`; 0: none, or an expression
  bool conditional = false;
  bool matrix = false;           // strategy.matrix
  SourceRange where;             // its key in the template: the same for all jobs unrolled from it
  const Scope* scope = nullptr;  // what it was expanded with: as long as the tree
};

struct GraphTrigger {
  std::string event;   // "push"
  std::string detail;  // "main, release/*", "0 2 * * *"; may be empty
};

struct WorkflowGraph {
  std::string file;           // "ci_nightly.yml"
  std::string title;          // its name
  std::string template_name;  // "templates/workflows/ci.yml"
  std::vector<GraphTrigger> triggers;
  std::vector<GraphJob> jobs;
};

// The strings are copied: the tree need not outlive the graph, but for GraphJob::scope.
WorkflowGraph ReadGraph(std::string_view file, std::string_view template_name,
                        const Workflow& workflow);

// The graphs of a set, by file.
class GraphSet {
 public:
  void Add(WorkflowGraph graph) { graphs_.push_back(std::move(graph)); }
  const std::vector<WorkflowGraph>& all() const { return graphs_; }
  const WorkflowGraph* Find(std::string_view file) const;

 private:
  std::vector<WorkflowGraph> graphs_;  // in the order of the compiler
};

struct DrawOptions {
  // Each job of an unrolled workflow, instead of one for all that differ in their names alone.
  bool each_job = false;
  // How many levels of called workflows are drawn open, inside of the job that calls.
  std::size_t open_levels = 0;
};

// What starts a workflow, its jobs and their needs.
//
// Jobs that were unrolled from one place of a template and do not hang together otherwise are
// chains (a combo's build, test and promotion). Chains of one shape are drawn once, with their
// number, unless each job is asked for.
Drawing DrawWorkflow(const GraphSet& set, const WorkflowGraph& graph, const DrawOptions& options);

// Several workflows, each in a box of its own; one alone has none.
Drawing DrawWorkflows(const GraphSet& set, const std::vector<const WorkflowGraph*>& graphs,
                      const DrawOptions& options);

// Which workflow calls which, and what starts them. Files of one template that call the same files
// are one box.
Drawing DrawOverview(const std::vector<const WorkflowGraph*>& graphs);

}  // namespace wheelwright
