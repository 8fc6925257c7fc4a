// What a run of a workflow takes: its jobs with those of the workflows that they call, when each
// can begin, and for how long it may hold a runner.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "generator/graph/jobs.h"

namespace wheelwright {

// What GitHub stops a job after that names no `timeout-minutes`:
// https://docs.github.com/actions/reference/workflows-and-actions/workflow-syntax#jobsjob_idtimeout-minutes
inline constexpr double kDefaultTimeout = 360;

// Minutes that were measured, by "workflow/job" (the file's name with or without ".yml") or "job";
// the former goes before the latter.
using MeasuredMinutes = std::map<std::string, double, std::less<>>;

// Jobs of one place of the templates that begin at the same time and take the same minutes.
struct RunStep {
  std::vector<const GraphJob*> jobs;
  std::string
      above;  // the names of the jobs that call their workflow: "Build > Test"; may be empty
  double begins = 0;   // minutes after the run
  double minutes = 0;  // of each
  bool measured = false;
  std::ptrdiff_t waits_for = -1;  // the step that ends last before it, by position; -1: for none
};

struct RunTime {
  std::vector<RunStep> steps;  // by the time when they begin
  std::size_t jobs = 0;        // that hold a runner
  double minutes = 0;          // of all runners
  double longest = 0;          // until the last job ends, when no job waits for a runner
  std::size_t foreign = 0;     // calls of workflows that are not of the set: not counted above
};

// The most that a run can take: conditions hold, a job with a matrix has one leg, and jobs take
// their `timeout-minutes` unless they were measured. Calls nest as deep as the link checks allow.
RunTime TimeRun(const GraphSet& set, const WorkflowGraph& graph, const MeasuredMinutes& measured);

// "5 min", "2 h", "1 h 30 min".
std::string Duration(double minutes);

// Steps as bars along the time, each joined with the one it waits for; a part of a page, which
// styles the classes (see graph.css).
std::string DrawTimeLine(const RunTime& run);

// "12 x Build", behind the jobs that call it.
std::string StepName(const RunStep& step);

}  // namespace wheelwright
