// Checks GitHub's limits. Above most of them a run fails without a message.
#include "generator/matrix/limits.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "generator/link/rules.h"
#include "generator/workflow/matrix_legs.h"

namespace wheelwright {
namespace {

std::string CountOf(const LimitUse& use) {
  const std::size_t bar = use.what.find('|');
  if (bar == std::string_view::npos) return Count(use.used, use.what);
  return Count(use.used, use.what.substr(0, bar), use.what.substr(bar + 1));
}

void CheckMatrices(const Linking& linking) {
  const std::size_t limit = linking.context.limits.matrix_legs;
  for (const Job& job : linking.workflow.jobs) {
    if (!job.matrix || !job.matrix->is_mapping()) continue;
    const std::size_t legs = MatrixLegs(*job.matrix);
    linking.usage.largest_matrix = std::max(linking.usage.largest_matrix, legs);
    CheckLimit(linking.context,
               {"matrix-too-large",
                legs,
                limit,
                fmt::format("the matrix of job '{}' makes", job.id),
                "job",
                {}},
               job.strategy.key, linking.diagnostics);
  }
}

void CheckTree(const Linking& linking) {
  FileUsage& usage = linking.usage;
  std::vector<std::string_view> callees;
  std::size_t below = 0;
  std::string deepest;
  const Node* deepest_call = nullptr;
  const Node* last_call = nullptr;
  usage.run_jobs = linking.workflow.jobs.size();
  usage.run_edges = usage.needs_edges;
  for (const Job& job : linking.workflow.jobs) {
    if (!job.is_call() || !job.uses.value->is_string()) continue;
    const std::string_view name = InterfaceName(job.uses.text());
    callees.push_back(name);
    last_call = job.uses.value;
    const WorkflowInterface* callee = linking.context.interfaces.Find(name);
    if (callee) {
      usage.run_jobs += callee->run_jobs;
      usage.run_edges += callee->run_edges;
    }
    const std::size_t levels = callee ? callee->levels : 1;
    if (levels > below) {
      below = levels;
      deepest_call = job.uses.value;
      deepest = callee ? callee->deepest : std::string(name);
    }
  }
  usage.reusable_levels = below + 1;
  usage.reusable_files = callees.empty() ? 0 : linking.context.interfaces.Reach(callees).size();
  const Limits& limits = linking.context.limits;
  CheckLimit(linking.context,
             {"too-many-levels", usage.reusable_levels, limits.reusable_levels,
              fmt::format("with what it calls, {} makes", linking.file.name),
              "level of workflows|levels of workflows",
              fmt::format("{} -> {}", linking.file.name, deepest)},
             deepest_call, linking.diagnostics);
  CheckLimit(linking.context,
             {"too-many-workflows", usage.reusable_files, limits.reusable_files,
              fmt::format("{} reaches", linking.file.name), "reusable workflow",
              "dispatch some of them as runs of their own, or split the file"},
             last_call, linking.diagnostics);
}

void CheckGraph(const Linking& linking) {
  const Limits& limits = linking.context.limits;
  const Node* at = linking.workflow.jobs_field.key;
  CheckLimit(linking.context,
             {"too-many-jobs", linking.usage.run_jobs, limits.needs_jobs,
              fmt::format("a run of {} has", linking.file.name), "job",
              "dispatch some of them as runs of their own, or split the file"},
             at, linking.diagnostics);
  CheckLimit(
      linking.context,
      {"too-many-needs", linking.usage.run_edges, limits.needs_edges,
       fmt::format("a run of {} has", linking.file.name), "entry in 'needs'|entries in 'needs'",
       "let one job stand for many, or split the file"},
      at, linking.diagnostics);
}

}  // namespace

bool CheckLimit(const LinkContext& context, const LimitUse& use, const Node* at,
                Diagnostics& diagnostics) {
  if (use.limit == 0) return false;
  const bool past = use.used > use.limit;
  const bool near = context.rules.near_limits && context.limits.warn_at_percent != 0 &&
                    use.used * 100 >= use.limit * context.limits.warn_at_percent;
  if (!past && !near) return false;
  const std::string count = CountOf(use);
  Diagnostic diagnostic = At(at, past ? use.code : "near-limit",
                             past ? fmt::format("{} {}, but GitHub accepts {}", use.subject, count,
                                                WithThousands(use.limit))
                                  : fmt::format("{} {}, near GitHub's limit of {}", use.subject,
                                                count, WithThousands(use.limit)));
  if (!past) diagnostic.severity = Severity::kWarning;
  if (!use.note.empty()) diagnostic.notes.push_back(use.note);
  diagnostics.Report(std::move(diagnostic));
  return past;
}

void CheckLimits(const Linking& linking, const ScalarScan& scan) {
  const Limits& limits = linking.context.limits;
  const Workflow& workflow = linking.workflow;
  FileUsage& usage = linking.usage;
  usage.longest_expression = scan.longest_expression;
  for (const ScalarScan::Long& one : scan.too_long) {
    CheckLimit(
        linking.context,
        {"expression-too-long", one.length, limits.expression_bytes, "this expression has", "byte",
         "a text with a '${{ }}' anywhere is one expression as a whole: pass values in 'env'"},
        one.scalar, linking.diagnostics);
  }
  if (limits.document_depth != 0 && scan.depth > limits.document_depth) {
    linking.Report(At(scan.deepest, "too-deep",
                      fmt::format("this is {} levels deep, but GitHub accepts {}", scan.depth,
                                  limits.document_depth)));
  }
  usage.dispatch_inputs = workflow.dispatch_inputs.size();
  if (const Event* dispatch = workflow.FindEvent("workflow_dispatch")) {
    CheckLimit(linking.context,
               {"too-many-inputs",
                usage.dispatch_inputs,
                limits.dispatch_inputs,
                fmt::format("{} can be dispatched with", linking.file.name),
                "input",
                {}},
               dispatch->key, linking.diagnostics);
  }
  CheckMatrices(linking);
  CheckTree(linking);
  CheckGraph(linking);
}

void CheckSize(const WorkflowFile& file, std::size_t bytes, const LinkContext& context,
               Diagnostics& diagnostics) {
  CheckLimit(
      context,
      {"file-too-large", bytes, context.limits.workflow_bytes, fmt::format("{} has", file.name),
       "byte",
       context.rules.names == RuleLevel::kError ? "split it by a rule of the matrix: a file for "
                                                  "each value of an axis, or dispatched runs"
                                                : "split it: called workflows count by themselves"},
      file.workflow.jobs_field.key ? file.workflow.jobs_field.key : file.workflow.root,
      diagnostics);
}

}  // namespace wheelwright
