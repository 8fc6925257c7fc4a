#include "generator/graph/jobs.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <system_error>

#include "base/text.h"
#include "generator/workflow/interface.h"

namespace wheelwright {
namespace {

// The texts that an expression can give: of `a && 'x' || 'y'` x and y.
void AddResults(const Expr& expr, std::vector<std::string>& results) {
  if (expr.kind == ExprKind::kLiteral && expr.literal->is_string()) {
    if (!expr.literal->text.empty()) results.emplace_back(expr.literal->text);
  } else if (expr.kind == ExprKind::kBinary && expr.op == BinaryOp::kOr) {
    for (const Expr* operand : expr.operands) AddResults(*operand, results);
  } else if (expr.kind == ExprKind::kBinary && expr.op == BinaryOp::kAnd) {
    AddResults(*expr.operands.back(), results);
  }
}

std::vector<std::string> ReadRunsOn(const Node* value, const Workflow& workflow) {
  if (value == nullptr) return {};
  if (value->is_sequence()) {
    std::string labels;
    for (const Node* item : value->items) {
      labels.append(labels.empty() ? "" : " ").append(item->text);
    }
    return {labels};
  }
  if (!value->is_scalar()) return {};
  const GithubText& text = workflow.Text(value->text);
  std::vector<std::string> results;
  if (text.sole() != nullptr) {
    AddResults(*text.sole(), results);
  } else if (text.expressions.empty() && !text.error) {
    results.emplace_back(value->text);
  }
  return results;
}

std::string JoinItems(const Node* value) {
  if (value == nullptr) return {};
  if (value->is_scalar()) return std::string(value->text);
  std::string joined;
  for (const Node* item : value->items) {
    joined.append(joined.empty() ? "" : ", ").append(item->text);
  }
  return joined;
}

std::string DetailOf(const Event& event) {
  if (event.config == nullptr) return {};
  if (event.name == "schedule") {
    std::string crons;
    for (const Node* item : event.config->items) {
      crons.append(crons.empty() ? "" : ", ").append(FindText(item, "cron"));
    }
    return crons;
  }
  for (const std::string_view key : {"branches", "tags", "workflows"}) {
    if (const Node* value = Find(event.config, key)) return JoinItems(value);
  }
  return {};
}

bool IsPlain(std::string_view text) {
  return !text.empty() && text.find("${{") == std::string_view::npos;
}

}  // namespace

WorkflowGraph ReadGraph(std::string_view file, std::string_view template_name,
                        const Workflow& workflow) {
  WorkflowGraph graph;
  graph.file = file;
  graph.title = IsPlain(workflow.name.text()) ? workflow.name.text() : file;
  graph.template_name = template_name;
  for (const Event& event : workflow.events) {
    graph.triggers.push_back({std::string(event.name), DetailOf(event)});
  }
  for (const Job& job : workflow.jobs) {
    GraphJob made;
    made.id = job.id;
    made.title = IsPlain(job.name.text()) ? job.name.text() : job.id;
    if (job.is_call()) made.calls = InterfaceName(job.uses.text());
    made.runs_on = ReadRunsOn(job.runs_on.value, workflow);
    if (const std::string_view text = job.timeout.text(); !text.empty()) {
      double minutes = 0;
      const auto read = std::from_chars(text.data(), text.data() + text.size(), minutes);
      if (read.ec == std::errc() && read.ptr == text.data() + text.size()) made.timeout = minutes;
    }
    made.conditional = static_cast<bool>(job.condition);
    made.matrix = job.matrix != nullptr;
    made.where = job.key->where;
    made.scope = job.key->scope;
    for (const Need& need : job.needs) {
      const std::int32_t at = workflow.JobIndex(need.id);
      if (at >= 0) made.needs.push_back(static_cast<std::uint32_t>(at));
    }
    graph.jobs.push_back(std::move(made));
  }
  return graph;
}

const WorkflowGraph* GraphSet::Find(std::string_view file) const {
  const auto found = std::find_if(graphs_.begin(), graphs_.end(),
                                  [&](const WorkflowGraph& graph) { return graph.file == file; });
  return found == graphs_.end() ? nullptr : &*found;
}

}  // namespace wheelwright
