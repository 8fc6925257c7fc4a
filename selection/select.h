// Selects what runs for an event: which families are built and tested on which platforms, with
// reasons. Rules select families; jobs do not filter them again.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/diagnostic.h"
#include "selection/event.h"
#include "selection/plan_file.h"

namespace wheelwright {

// The set of combos that CI builds PyTorch wheels of.
inline constexpr std::string_view kCiSet = "ci";

// A family that is built in one variant.
struct SelectedFamily {
  std::string key;             // "gfx94x"
  std::string tier;            // "presubmit"
  std::string family;          // "gfx94X-dcgpu"
  VariantRow variant;          // label, suffix, CMake preset
  std::string artifact_group;  // the family's, or with the variant's suffix: "gfx94X-dcgpu-asan"
  Texts targets;
  Texts fetch_targets;  // targets of test artifacts to fetch; empty when nothing is tested
  std::string build_runs_on;
  bool use_prebuilt_artifacts = false;  // of the run Selection::artifact_run_id
  // The runners of tests; each "" when there are none.
  std::string test_runs_on;
  std::string multi_gpu_runs_on;
  std::string benchmark_runs_on;
  bool sanity_check_only = false;
  bool expect_failure = false;  // the variant is known not to work
  std::string why;              // the rule that selected it
  std::string test_why;         // why it is tested there, or not tested

  // Its PyTorch wheels: combos of the build `pytorch_gfx` in the set `ci`.
  bool build_pytorch = false;
  std::string pytorch_gfx;
  std::vector<PlannedCombo> pytorch_combos;
  std::string pytorch_why;    // why, or why none
  std::string pytorch_issue;  // the issue of the known failure that excludes them, or ""
};

// A family that is not built in any requested variant.
struct LeftOutFamily {
  std::string key;
  std::string tier;
  std::string family;  // "" when it has no row for the platform
  std::string why;
};

struct PlatformSelection {
  std::string name;   // "linux"
  std::string title;  // "Linux"
  std::vector<SelectedFamily> in;
  std::vector<LeftOutFamily> out;
  Texts test_labels;  // components to test in full, without "test:"
};

struct Selection {
  std::string event;
  Texts workflows;     // the generated files that the event starts, without ".yml"
  bool build = false;  // something is built
  std::string build_why;
  std::string test_type;  // "smoke", "full"
  std::string test_type_why;
  std::string artifact_run_id;               // the run whose artifacts replace builds; usually ""
  std::vector<PlatformSelection> platforms;  // each of the matrix, in its order
};

// Selects. Reports all errors in the event's labels and inputs and returns nothing then; warnings
// do not prevent a selection. Nothing is built when the event starts nothing, a label skips the
// build or the changes need none; then all families are out and `build_why` gives the reason.
std::optional<Selection> Select(const PlanFile& plan, const EventInputs& inputs,
                                Diagnostics& diagnostics);

// The runner of a build: a special one for sanitizers, a public one outside of the organization.
std::string BuildRunner(const PlanFile& plan, const PlatformRow& platform, std::string_view variant,
                        std::string_view repository);

// Whether a repository belongs to the organization that owns the runners.
bool HasRunners(const PlanFile& plan, std::string_view repository);

// The row of the event; reports an error and returns null when there is none.
const TriggerRow* RequireTrigger(const PlanFile& plan, std::string_view event,
                                 Diagnostics& diagnostics);

}  // namespace wheelwright
