// The GPU families, and which of them an event builds.
#include "generator/matrix/column_builders.h"
#include "generator/matrix/tables.h"

namespace wheelwright::tables {

using namespace types;
using namespace formats;

namespace {

Type FamilyOnPlatform(const Names& variants) {
  std::vector<Column> parked{
      {"runs_on", Of(kRunnerLabel), kRequired, "The runner", "linux-gfx110X-gpu-rocm"},
      {"issue", IssueLink(), kRequired, "Why it is not in use",
       "https://github.com/ROCm/TheRock/issues/3298"},
  };
  return Row(
      "a family on one platform",
      {{"family", Of(kName), kRequired,
        "The artifact group's name: also the folder in package indexes, and what is passed to "
        "CMake",
        "gfx94X-dcgpu"},
       {"targets", Either(RowOf(kTargetGroups), ListOf(Of(kGfxTarget))), kRequired,
        "The gfx targets that are built, or a name of `target_groups`; templates always see the "
        "list",
        "[gfx942]"},
       {"test_runs_on", Of(kRunnerLabel), "null",
        "The runner of tests; none: nothing tests the family", "linux-mi325-1gpu-ossci-rocm"},
       {"multi_gpu_runs_on", Of(kRunnerLabel), "null", "The runner of tests that need several GPUs",
        "linux-mi325-8gpu-ossci-rocm"},
       {"benchmark_runs_on", Of(kRunnerLabel), "null", "The runner of benchmarks",
        "linux-mi325-8gpu-ossci-rocm"},
       {"sandbox_runs_on", Of(kRunnerLabel), "null", "The runner of the tests of asan builds",
        "linux-mi325-8gpu-ossci-rocm-sandbox"},
       {"kernel_runners", MapOf(Of(kName), Of(kRunnerLabel)), "{}",
        "Runners with other kernels, for the label test_runner:KERNEL",
        "{oem: linux-strix-halo-gpu-rocm-oem}"},
       {"parked_runner", Row("a parked runner", std::move(parked)), "null",
        "A runner that exists and is not used for now",
        "{runs_on: linux-gfx110X-gpu-rocm, issue: https://github.com/ROCm/TheRock/issues/3298}"},
       {"fetch_targets", ListOf(Of(kGfxTarget)), "[]",
        "The targets whose test artifacts the test runner fetches", "[gfx1200, gfx1201]"},
       {"variants", ListOf(NameOf(variants)), "[release]",
        "The build variants of ROCm that are built", "[release, asan]"},
       {"sanity_check_only", Boolean(), "false", "The runner does the sanity check and no more",
        "true"},
       {"bypass_tests_for_releases", Boolean(), "false", "Wheels may be promoted untested", "true"},
       {"known_failures", MapOf(Word("build", {"rocm", "pytorch"}), IssueLink()), "{}",
        "What cannot be built for the family, with the issue; it is not selected until the row "
        "goes",
        "{pytorch: https://github.com/ROCm/TheRock/issues/1926}"}});
}

}  // namespace

FileSchema Families() {
  Type family =
      Row("a family", {{"tier", NameOf(kTiers), kRequired, "How often it is built", "presubmit"},
                       {"linux", FamilyOnPlatform(kLinuxVariants), "null",
                        "Its row for Linux; none: it is not built there", ""},
                       {"windows", FamilyOnPlatform(kWindowsVariants), "null",
                        "Its row for Windows; none: it is not built there", ""}});
  family.one_needed = {"linux", "windows"};
  return {.stem = "families",
          .help = "The GPU families, what they are built from and tested on",
          .required = true,
          .tables =
              Row("the file",
                  {{"tiers", MapOf(Of(kKey), Text()), kRequired,
                    "How often families are built, from the most to the least, each in a line", ""},
                   {"families", MapOf(Of(kFamilyKey), std::move(family)), kRequired,
                    "The families, by the key that people type in labels and inputs", ""},
                   {"target_groups", MapOf(Of(kName), ListOf(Of(kGfxTarget))), "{}",
                    "Names for lists of gfx targets", "{gfx120X-all: [gfx1200, gfx1201]}"}}),
          .unique = {"families.*.linux.family", "families.*.windows.family"}};
}

FileSchema Triggers() {
  std::vector<Column> trigger{
      {"tiers", ListOf(NameOf(kTiers)), kRequired, "The tiers whose families get a build of ROCm",
       "[presubmit]"},
      {"variants", ListOf(NameOf(kVariants)), "[release]",
       "The build variants; a family is built in those of them that it has", "[release, asan]"},
      {"pytorch", Either(Word("selection", {"all", "chosen"}), ListOf(NameOf(kFamilies))), "[]",
       "The families that get PyTorch wheels: a list, `all`, or `chosen` by an input", "[gfx94x]"},
      {"labels", MapOf(Text(), ListOf(NameOf(kFamilies))), "{}",
       "Labels of a pull request and the families that they add to `pytorch`",
       "{\"build:pytorch\": [gfx94x]}"},
      {"types", ListOf(Of(kKey)), "[]", "Activity types of the event",
       "[labeled, opened, synchronize]"},
      {"branches", ListOf(Of(kBranchFilter)), "[]",
       "Branches for which the event counts; none: all", "[main, release/therock-*]"},
      {"cron", Of(kCron), "null", "When a schedule fires", "\"0 2 * * *\""},
      {"workflows", ListOf(Of(kName)), "[]", "The generated workflows that the event starts",
       "[ci_nightly]"},
  };
  std::vector<Column> label{
      {"effect",
       Word("effect", {"skip", "all_families", "family", "pytorch", "test", "test_runner"}),
       kRequired, "What it does", "family"},
      {"doc", Text(), kRequired, "What it means, for the people who put it on", "Nothing is built"},
  };
  std::vector<Column> paths{
      {"skippable", ListOf(Of(kGlob)), "[]", "Changes to these need no build",
       "[docs/*, \"*.md\"]"},
      {"workflows", ListOf(Of(kGlob)), "[]",
       "The files under .github/workflows whose change needs a build",
       "[.github/workflows/ci*.yml]"},
      {"always", ListOf(Of(kGlob)), "[]", "Changes to these need a build, whatever else is said",
       "[matrix/*]"},
      {"unfiltered_events", ListOf(EventWord()), "[]", "Events that build whatever changed",
       "[schedule, workflow_dispatch]"},
  };
  std::vector<Column> test_type{
      {"when", Word("condition", {"schedule", "submodule_changed", "test_label", "otherwise"}),
       kRequired, "What must be so", "submodule_changed"},
      {"type", Word("test type", {"smoke", "full"}), kRequired, "How much is tested", "full"},
      {"why", Text(), kRequired, "The reason", "Somebody asked for a component's tests"},
  };
  return {
      .stem = "triggers",
      .help = "What an event of the repository builds and tests",
      .tables = Row("the file",
                    {{"triggers", MapOf(EventWord(), Row("a trigger", std::move(trigger))), "{}",
                      "The events, by GitHub's name for them", ""},
                     {"labels", MapOf(Of(kGlob), Row("a label", std::move(label))), "{}",
                      "What labels of a pull request mean, decided from the top", ""},
                     {"paths", Row("the path filter", std::move(paths)), "{}",
                      "Which changes need a build", ""},
                     {"test_types", ListOf(Row("a rule for the test type", std::move(test_type))),
                      "[]", "How much is tested; the first row that fits decides", ""},
                     {"tests", ListOf(Of(kName)), "[]",
                      "The components whose tests a label may ask for", "[rocblas, miopen]"}}),
      .unique = {}};
}

}  // namespace wheelwright::tables
