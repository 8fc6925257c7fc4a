// What the first job of CI hands to the others, and the jobs that read it.
#include <catch2/catch.hpp>
#include <set>

#include "selection/outputs.h"
#include "tests/unit/selection_plan.h"
#include "tests/unit/source_path.h"

namespace wheelwright {
namespace {

// The keys that jobs of a generated workflow look for in an output of its first job.
std::set<std::string> KeysIn(const std::string& workflow, const std::string& output) {
  const std::string text =
      RealFileSystem()
          .Read(SourcePath(fmt::format("generated-workflows/{}.yml", workflow)))
          .value_or("");
  const std::string before = fmt::format("contains(fromJSON(needs.setup.outputs.{}), '", output);
  std::set<std::string> keys;
  for (std::size_t at = text.find(before); at != std::string::npos; at = text.find(before, at)) {
    at += before.size();
    keys.insert(text.substr(at, text.find('\'', at) - at));
  }
  return keys;
}

std::set<std::string> Selected(const Selection& selection) {
  std::set<std::string> keys;
  for (const PlatformSelection& platform : selection.platforms) {
    for (const SelectedFamily& family : platform.in) {
      keys.insert(JobKey(platform.name, family.artifact_group));
    }
  }
  return keys;
}

std::set<std::string> WithPytorch(const Selection& selection) {
  std::set<std::string> keys;
  for (const PlatformSelection& platform : selection.platforms) {
    for (const SelectedFamily& family : platform.in) {
      if (family.build_pytorch) keys.insert(JobKey(platform.name, family.pytorch_gfx));
    }
  }
  return keys;
}

EventInputs ByHand(const std::string& workflow, const std::string& variants = "") {
  return {.event = "workflow_dispatch",
          .workflow = workflow,
          .inputs = {{"linux_amdgpu_families", "all"},
                     {"windows_amdgpu_families", "all"},
                     {"build_variant", variants}}};
}

TEST_CASE("outputs are one line of JSON each", "[selection]") {
  using Outputs = std::vector<std::pair<std::string, std::string>>;
  CHECK(JobOutputs(MustSelect({.event = "workflow_dispatch",
                               .inputs = {{"linux_amdgpu_families", "gfx94x gfx110x"},
                                          {"pytorch_amdgpu_families", "gfx94x"},
                                          {"linux_test_labels", "test:rocblas"}}})) ==
        Outputs{{"selected", R"(["linux/gfx94X-dcgpu","linux/gfx110X-all"])"},
                {"pytorch", R"(["linux/gfx94X-dcgpu"])"},
                {"runners",
                 R"({"linux/gfx94X-dcgpu":"linux-mi325-1gpu-ossci-rocm","linux/gfx110X-all":""})"},
                {"test_type", "full"},
                {"test_labels", R"({"linux":["rocblas"],"windows":[]})"}});
  CHECK(JobOutputs(MustSelect({.event = "pull_request", .labels = {"skip-ci"}})) ==
        Outputs{{"selected", "[]"},
                {"pytorch", "[]"},
                {"runners", "{}"},
                {"test_type", "smoke"},
                {"test_labels", R"({"linux":[],"windows":[]})"}});
}

TEST_CASE("a workflow holds a job for everything that can be selected, and no other",
          "[selection]") {
  struct Case {
    std::string workflow;
    EventInputs widest;
  };
  const std::vector<Case> cases{
      {"ci_pull_request",
       {.event = "pull_request", .labels = {"run-all-archs-ci", "build:pytorch"}}},
      {"ci_pull_request", ByHand("ci_pull_request")},
      {"ci_postsubmit", {.event = "push", .branch = "main"}},
      {"ci_postsubmit", ByHand("ci_postsubmit")},
      {"ci_nightly", ByHand("ci_nightly", "release, asan, tsan")},
  };
  for (const Case& c : cases) {
    INFO(c.workflow << " " << c.widest.event);
    const Selection selection = MustSelect(c.widest);
    CHECK(selection.workflows == Texts{c.workflow});
    CHECK_FALSE(KeysIn(c.workflow, "selected").empty());
    CHECK(KeysIn(c.workflow, "selected") == Selected(selection));
    CHECK(KeysIn(c.workflow, "pytorch") == WithPytorch(selection));
  }
}

TEST_CASE("each event selects what its workflow has jobs for", "[selection]") {
  const std::vector<EventInputs> events{
      {.event = "pull_request"},
      {.event = "pull_request", .labels = {"gfx1153", "gfx950", "build:pytorch"}},
      {.event = "schedule"},
      {.event = "workflow_dispatch",
       .workflow = "ci_postsubmit",
       .inputs = {{"linux_amdgpu_families", "gfx94x, gfx950"}}},
      {.event = "workflow_dispatch",
       .workflow = "ci_postsubmit",
       .inputs = {{"additional_label_options", "gfx1153"}, {"build_variant", "asan"}}},
  };
  for (const EventInputs& inputs : events) {
    const Selection selection = MustSelect(inputs);
    INFO(inputs.event);
    const std::string& workflow = selection.workflows.at(0);
    const auto jobs = KeysIn(workflow, "selected"), wheels = KeysIn(workflow, "pytorch");
    for (const std::string& key : Selected(selection)) CHECK(jobs.count(key) == 1);
    for (const std::string& key : WithPytorch(selection)) CHECK(wheels.count(key) == 1);
  }
}

TEST_CASE("what a workflow has no job for is said", "[selection]") {
  const Selection labelled = MustSelect(
      {.event = "workflow_dispatch",
       .workflow = "ci_postsubmit",
       .inputs = {{"linux_amdgpu_families", "gfx950"}, {"additional_label_options", "gfx1153"}}});
  CHECK(Groups(labelled, "linux") == "gfx950-dcgpu");
  CHECK(WhyOut(labelled, "linux", "gfx1153") == "ci_postsubmit has no jobs for it");
  CHECK(Built(labelled, "linux", "gfx950-dcgpu").pytorch_why == "ci_postsubmit has no jobs for it");
  CHECK(Complaints({.event = "workflow_dispatch",
                    .workflow = "ci_postsubmit",
                    .inputs = {{"linux_amdgpu_families", "gfx94x gfx1153"},
                               {"windows_amdgpu_families", "gfx1153"}}}) ==
        "error[family-not-built]: 'gfx1153' is typed in 'linux_amdgpu_families', and ci_postsubmit "
        "has no jobs for it\n"
        "   = run the workflow that builds its tier\n");
  CHECK(Complaints({.event = "schedule", .workflow = "ci_nighty"}) ==
        "error[unknown-workflow]: no event starts the workflow 'ci_nighty'\n"
        "   = did you mean 'ci_nightly'?\n");
}

TEST_CASE("a family whose ROCm is known to fail is out", "[selection]") {
  const PlanFile plan =
      ChangedPlan({{R"("known_failures": {"pytorch": )", R"("known_failures": {"rocm": )"}});
  const Selection selection = MustSelect({.event = "schedule"}, plan);
  CHECK(WhyOut(selection, "windows", "gfx90x") ==
        "known failure, https://github.com/ROCm/TheRock/issues/1927");
  Diagnostics diagnostics;
  const auto release = SelectRelease(plan, {.event = "schedule"}, diagnostics);
  REQUIRE(release);
  CHECK(release->platforms[1].out[2].key == "gfx90x");
  CHECK(release->platforms[1].out[2].why ==
        "known failure, https://github.com/ROCm/TheRock/issues/1927");
}

}  // namespace
}  // namespace wheelwright
