// What runs for an event: which families are built on which platform and tested where, and why each
// is in or out. Families get in by a rule; none is filtered out of jobs later.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/diagnostic.h"
#include "selection/event.h"
#include "selection/plan_file.h"

namespace wheelwright {

// The set of combos whose PyTorch wheels CI builds.
inline constexpr std::string_view kCiSet = "ci";

// A family that is built, in one variant.
struct SelectedFamily {
  std::string key;             // "gfx94x"
  std::string tier;            // "presubmit"
  std::string family;          // "gfx94X-dcgpu"
  VariantRow variant;          // label, suffix, CMake preset
  std::string artifact_group;  // the family's, or with the variant's suffix: "gfx94X-dcgpu-asan"
  Texts targets;
  Texts fetch_targets;  // whose split test artifacts are fetched; empty when nothing is tested
  std::string build_runs_on;
  bool use_prebuilt_artifacts = false;  // of the run Selection::artifact_run_id
  // Where tests run; "" each when there are none.
  std::string test_runs_on;
  std::string multi_gpu_runs_on;
  std::string benchmark_runs_on;
  bool sanity_check_only = false;
  bool expect_failure = false;  // the variant is known not to work
  std::string why;              // the rule that let it in
  std::string test_why;         // why it is tested there, or not at all

  // The PyTorch wheels that are built of it: combos of the set `ci`, of the build `pytorch_gfx`.
  bool build_pytorch = false;
  std::string pytorch_gfx;
  std::vector<PlannedCombo> pytorch_combos;
  std::string pytorch_why;    // why, or why none
  std::string pytorch_issue;  // of the known failure that keeps them out, or ""
};

// A family that is not built, in no variant that was asked for.
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
  std::string artifact_run_id;               // whose artifacts stand for builds; mostly ""
  std::vector<PlatformSelection> platforms;  // each of the matrix, in its order
};

// Decides. Reports everything that is wrong with the event's labels and inputs, and returns nothing
// then; warnings alone do not keep it from deciding. Nothing is built for an event that starts
// nothing, that a label skips, or whose changes need no build; then all families are out and
// `build_why` says it.
std::optional<Selection> Select(const PlanFile& plan, const EventInputs& inputs,
                                Diagnostics& diagnostics);

// The runner of a build: a sanitizer's own, or outside of the organization a public one.
std::string BuildRunner(const PlanFile& plan, const PlatformRow& platform, std::string_view variant,
                        std::string_view repository);

// Whether a repository belongs to the organization that owns the runners.
bool HasRunners(const PlanFile& plan, std::string_view repository);

// The row of an event that starts something, or null after a report.
const TriggerRow* RequireTrigger(const PlanFile& plan, std::string_view event,
                                 Diagnostics& diagnostics);

}  // namespace wheelwright
