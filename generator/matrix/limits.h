// The numbers of matrix/limits.yml, for code that checks against them. What each means and where it
// is from stands in that file and in docs/matrix-reference.md.
#pragma once

#include <array>
#include <cstddef>
#include <string_view>

namespace wheelwright {

struct Limits {
  std::size_t workflow_bytes = 0;
  std::size_t expression_bytes = 0;
  std::size_t expression_depth = 0;
  std::size_t document_depth = 0;
  std::size_t matrix_legs = 0;
  std::size_t reusable_files = 0;
  std::size_t reusable_levels = 0;
  std::size_t dispatch_inputs = 0;
  std::size_t dispatch_payload_characters = 0;
  std::size_t id_characters = 0;
  std::size_t needs_jobs = 0;
  std::size_t needs_edges = 0;
  std::size_t job_outputs_bytes = 0;
  std::size_t run_outputs_bytes = 0;
  std::size_t step_summary_bytes = 0;
  std::size_t step_summaries = 0;
  std::size_t job_minutes = 0;
  std::size_t default_timeout_minutes = 0;
  std::size_t environment_string_bytes = 0;
  std::size_t warn_at_percent = 0;
};

struct LimitField {
  std::string_view name;
  std::size_t Limits::* member;
  std::string_view help;
};

// Every limit there is, in the order of the file.
inline constexpr std::array kLimitFields{
    LimitField{"workflow_bytes", &Limits::workflow_bytes, "Size of a workflow file"},
    LimitField{"expression_bytes", &Limits::expression_bytes,
               "Length of an expression, or of a scalar that holds one"},
    LimitField{"expression_depth", &Limits::expression_depth, "Nesting of an expression"},
    LimitField{"document_depth", &Limits::document_depth, "Nesting of a workflow file"},
    LimitField{"matrix_legs", &Limits::matrix_legs, "Jobs that one strategy.matrix makes"},
    LimitField{"reusable_files", &Limits::reusable_files,
               "Different reusable workflows that one workflow reaches"},
    LimitField{"reusable_levels", &Limits::reusable_levels,
               "How deep reusable workflows call each other"},
    LimitField{"dispatch_inputs", &Limits::dispatch_inputs, "Inputs of a workflow_dispatch"},
    LimitField{"dispatch_payload_characters", &Limits::dispatch_payload_characters,
               "All inputs of a workflow_dispatch together"},
    LimitField{"id_characters", &Limits::id_characters, "Length of a job's or step's id"},
    LimitField{"needs_jobs", &Limits::needs_jobs, "Jobs of a run"},
    LimitField{"needs_edges", &Limits::needs_edges, "Entries in the `needs` of a run"},
    LimitField{"job_outputs_bytes", &Limits::job_outputs_bytes, "Outputs of a job"},
    LimitField{"run_outputs_bytes", &Limits::run_outputs_bytes, "Outputs of all jobs of a run"},
    LimitField{"step_summary_bytes", &Limits::step_summary_bytes, "Summary of a step"},
    LimitField{"step_summaries", &Limits::step_summaries, "Summaries that are shown for a job"},
    LimitField{"job_minutes", &Limits::job_minutes, "How long a job may run"},
    LimitField{"default_timeout_minutes", &Limits::default_timeout_minutes,
               "What a job without timeout-minutes gets"},
    LimitField{"environment_string_bytes", &Limits::environment_string_bytes,
               "One environment variable with its name"},
    LimitField{"warn_at_percent", &Limits::warn_at_percent,
               "From which part of a limit on to warn"},
};

// The text of this project's own matrix/limits.yml, which the build takes in. What a matrix does
// not say itself is read from it, and so is everything when there is no matrix: linting another
// repository.
extern const std::string_view kBuiltInLimits;

// The numbers in kBuiltInLimits.
const Limits& BuiltInLimits();

}  // namespace wheelwright
