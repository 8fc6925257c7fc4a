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
};

// Every limit there is; built_in_schema.yml says what each is.
inline constexpr std::array kLimitFields{
    LimitField{"workflow_bytes", &Limits::workflow_bytes},
    LimitField{"expression_bytes", &Limits::expression_bytes},
    LimitField{"expression_depth", &Limits::expression_depth},
    LimitField{"document_depth", &Limits::document_depth},
    LimitField{"matrix_legs", &Limits::matrix_legs},
    LimitField{"reusable_files", &Limits::reusable_files},
    LimitField{"reusable_levels", &Limits::reusable_levels},
    LimitField{"dispatch_inputs", &Limits::dispatch_inputs},
    LimitField{"dispatch_payload_characters", &Limits::dispatch_payload_characters},
    LimitField{"id_characters", &Limits::id_characters},
    LimitField{"needs_jobs", &Limits::needs_jobs},
    LimitField{"needs_edges", &Limits::needs_edges},
    LimitField{"job_outputs_bytes", &Limits::job_outputs_bytes},
    LimitField{"run_outputs_bytes", &Limits::run_outputs_bytes},
    LimitField{"step_summary_bytes", &Limits::step_summary_bytes},
    LimitField{"step_summaries", &Limits::step_summaries},
    LimitField{"job_minutes", &Limits::job_minutes},
    LimitField{"default_timeout_minutes", &Limits::default_timeout_minutes},
    LimitField{"environment_string_bytes", &Limits::environment_string_bytes},
    LimitField{"warn_at_percent", &Limits::warn_at_percent},
};

// The numbers in kBuiltInLimits.
const Limits& BuiltInLimits();

}  // namespace wheelwright
