// Which families an event builds, by the repository's own matrix.
#include <catch2/catch.hpp>

#include "tests/unit/selection_plan.h"

namespace wheelwright {
namespace {

// Every family with a row for the platform, in the order of the matrix.
constexpr auto kAllLinux =
    "gfx94X-dcgpu gfx110X-all gfx1151 gfx120X-all gfx950-dcgpu gfx90X-dcgpu gfx101X-dgpu "
    "gfx103X-dgpu gfx1150 gfx1152 gfx1153";
constexpr auto kAllWindows =
    "gfx110X-all gfx1151 gfx120X-all gfx90X-dcgpu gfx101X-dgpu gfx103X-dgpu gfx1150 gfx1152 "
    "gfx1153";
constexpr auto kPresubmitLinux = "gfx94X-dcgpu gfx110X-all gfx1151 gfx120X-all";
constexpr auto kPresubmitWindows = "gfx110X-all gfx1151 gfx120X-all";
constexpr auto kPostsubmitLinux = "gfx94X-dcgpu gfx110X-all gfx1151 gfx120X-all gfx950-dcgpu";

// What a person types for a run by hand.
EventInputs ByHand(std::vector<std::pair<std::string, std::string>> inputs) {
  return {.event = "workflow_dispatch", .inputs = std::move(inputs)};
}

TEST_CASE("each event builds the families of its tiers", "[selection]") {
  struct Case {
    EventInputs inputs;
    std::string linux, windows;
  };
  const std::vector<Case> cases{
      {{.event = "pull_request"}, kPresubmitLinux, kPresubmitWindows},
      {{.event = "push", .branch = "main"}, kPostsubmitLinux, kPresubmitWindows},
      {{.event = "push", .branch = "release/therock-7.10"}, kPostsubmitLinux, kPresubmitWindows},
      {{.event = "schedule", .variants = {"release"}}, kAllLinux, kAllWindows},
      // By hand, just what was typed.
      {ByHand({}), "", ""},
      {ByHand({{"linux_amdgpu_families", "gfx94x"}}), "gfx94X-dcgpu", ""},
      {ByHand({{"linux_amdgpu_families", " GFX94X ;gfx1153,\tgfx94X-dcgpu "}}),
       "gfx94X-dcgpu gfx1153", ""},
      {ByHand({{"linux_amdgpu_families", "[\"gfx950\", 'gfx1151']"}}), "gfx1151 gfx950-dcgpu", ""},
      {ByHand({{"linux_amdgpu_families", "all"}, {"windows_amdgpu_families", "none"}}), kAllLinux,
       ""},
      {ByHand({{"windows_amdgpu_families", "ALL"}}), "", kAllWindows},
      // Labels add families, on each platform that has a row for them.
      {{.event = "pull_request", .labels = {"gfx950"}}, kPostsubmitLinux, kPresubmitWindows},
      {{.event = "pull_request", .labels = {"gfx950-linux"}}, kPostsubmitLinux, kPresubmitWindows},
      {{.event = "pull_request", .labels = {"GFX1153-windows", "bug"}},
       std::string(kPresubmitLinux) + " gfx1153",
       std::string(kPresubmitWindows) + " gfx1153"},
      {{.event = "pull_request", .labels = {"run-all-archs-ci"}}, kAllLinux, kAllWindows},
      {ByHand({{"additional_label_options", "gfx950, run-all-archs-ci"}}), kAllLinux, kAllWindows},
      // A skip wins, whatever stands before or behind it.
      {{.event = "pull_request", .labels = {"skip-ci"}}, "", ""},
      {{.event = "pull_request", .labels = {"gfx950", "test:rocblas", "skip-ci"}}, "", ""},
      {{.event = "pull_request", .labels = {"Skip-CI", "run-all-archs-ci", "gfx950"}}, "", ""},
      {ByHand({{"linux_amdgpu_families", "all"}, {"additional_label_options", "skip-ci"}}), "", ""},
  };
  for (const Case& c : cases) {
    const Selection selection = MustSelect(c.inputs);
    INFO(c.inputs.event << " " << c.inputs.branch << " "
                        << fmt::format("{}", fmt::join(c.inputs.labels, " ")));
    CHECK(Groups(selection, "linux") == c.linux);
    CHECK(Groups(selection, "windows") == c.windows);
    CHECK(selection.build == !(c.linux.empty() && c.windows.empty()));
  }
}

TEST_CASE("a push starts something on long-lived branches", "[selection]") {
  const std::vector<std::pair<std::string, bool>> cases{
      {"main", true},
      {"release/therock-7.10", true},
      {"release/therock-", true},
      {"releases/therock-1", false},
      {"main2", false},
      {"Main", false},
      {"refs/heads/main", false},
      {"refs/tags/v7.10", false},
      {"users/somebody/main", false},
  };
  for (const auto& [branch, starts] : cases) {
    INFO(branch);
    const Selection selection = MustSelect({.event = "push", .branch = branch});
    CHECK(selection.build == starts);
    CHECK(selection.workflows.empty() == !starts);
    if (!starts) {
      CHECK(selection.build_why ==
            "a push starts something on main and release/therock-*, not on '" + branch + "'");
      CHECK(WhyOut(selection, "linux", "gfx94x") == selection.build_why);
    }
  }
}

TEST_CASE("a pull request starts something when its code or labels change", "[selection]") {
  CHECK(MustSelect({.event = "pull_request", .action = "synchronize"}).build);
  const Selection closed = MustSelect({.event = "pull_request", .action = "closed"});
  CHECK_FALSE(closed.build);
  CHECK(closed.build_why ==
        "a pull_request starts something when it is labeled, opened, synchronize, not when it is "
        "'closed'");
}

TEST_CASE("every family says which rule decided", "[selection]") {
  Selection selection =
      MustSelect({.event = "pull_request", .labels = {"gfx950-linux", "gfx1150"}});
  CHECK(Built(selection, "linux", "gfx94X-dcgpu").why == "tier presubmit is built by pull_request");
  CHECK(Built(selection, "linux", "gfx950-dcgpu").why == "label 'gfx950-linux'");
  CHECK(WhyOut(selection, "linux", "gfx103x") == "tier nightly is not built by pull_request");
  CHECK(WhyOut(selection, "windows", "gfx950") == "no row for windows");
  selection = MustSelect({.event = "pull_request", .labels = {"run-all-archs-ci", "gfx1150"}});
  CHECK(Built(selection, "windows", "gfx1150").why == "label 'gfx1150'");
  CHECK(Built(selection, "windows", "gfx1152").why == "label 'run-all-archs-ci'");
  selection = MustSelect(
      ByHand({{"linux_amdgpu_families", "gfx94x"}, {"windows_amdgpu_families", "none"}}));
  CHECK(Built(selection, "linux", "gfx94X-dcgpu").why == "typed in linux_amdgpu_families");
  CHECK(WhyOut(selection, "linux", "gfx950") == "not typed in linux_amdgpu_families");
  CHECK(WhyOut(selection, "windows", "gfx1151") == "'none' is typed in windows_amdgpu_families");
  selection = MustSelect(ByHand({}));
  CHECK(WhyOut(selection, "linux", "gfx94x") == "nothing is typed in linux_amdgpu_families");
  CHECK(selection.build_why == "no family is selected");
  // Every family of the matrix is in or out, on each platform.
  for (const PlatformSelection& platform : selection.platforms) {
    CHECK(platform.in.size() + platform.out.size() == RepositoryPlan().families.size());
  }
}

TEST_CASE("a skip by a label is said of everything", "[selection]") {
  const Selection selection =
      MustSelect({.event = "pull_request", .labels = {"test:rocblas", "skip-ci", "gfx9999"}});
  CHECK(selection.build_why == "the label 'skip-ci'");
  CHECK(WhyOut(selection, "linux", "gfx94x") == "the label 'skip-ci'");
  CHECK(On(selection, "linux").test_labels.empty());
}

TEST_CASE("variants are built for the families that have them", "[selection]") {
  const Selection asan = MustSelect({.event = "schedule", .variants = {"asan"}});
  CHECK(Groups(asan, "linux") == "gfx94X-dcgpu-asan gfx950-dcgpu-asan");
  CHECK(Groups(asan, "windows").empty());
  CHECK(WhyOut(asan, "windows", "gfx1151") == "no variant asan");
  const SelectedFamily& sandboxed = Built(asan, "linux", "gfx94X-dcgpu-asan");
  CHECK(sandboxed.test_runs_on == "linux-mi325-8gpu-ossci-rocm-sandbox");
  CHECK(sandboxed.test_why == "sandbox_runs_on of the family's row, for asan");
  CHECK(sandboxed.build_runs_on == "azure-linux-scale-rocm-heavy");
  CHECK(sandboxed.variant.cmake_preset == "linux-release-asan");
  CHECK_FALSE(sandboxed.expect_failure);
  CHECK_FALSE(sandboxed.build_pytorch);
  CHECK(sandboxed.pytorch_why == "PyTorch is not built with the variant asan");
  CHECK(Built(asan, "linux", "gfx950-dcgpu-asan").test_runs_on == "linux-mi355-1gpu-ossci-rocm");

  const Selection tsan =
      MustSelect(ByHand({{"linux_amdgpu_families", "gfx94x"}, {"build_variant", "tsan"}}));
  const SelectedFamily& broken = Built(tsan, "linux", "gfx94X-dcgpu-tsan");
  CHECK(broken.expect_failure);
  CHECK_FALSE(broken.build_pytorch);
  CHECK(broken.test_runs_on.empty());
  CHECK(broken.test_why ==
        "the variant tsan is not expected to work "
        "(https://github.com/ROCm/TheRock/pull/3243)");

  // The nightly run builds two.
  const Selection nightly = MustSelect({.event = "schedule"});
  CHECK(Groups(nightly, "linux").starts_with("gfx94X-dcgpu gfx94X-dcgpu-asan gfx110X-all "));
  CHECK(Groups(nightly, "windows") == kAllWindows);
}

TEST_CASE("a label chooses the runners of tests", "[selection]") {
  const Selection selection = MustSelect({.event = "pull_request", .labels = {"test_runner:oem"}});
  for (const PlatformSelection& platform : selection.platforms) {
    for (const SelectedFamily& family : platform.in) {
      INFO(platform.name << " " << family.artifact_group);
      const bool has_it = platform.name == "linux" && family.key == "gfx1151";
      CHECK(family.test_runs_on == (has_it ? "linux-strix-halo-gpu-rocm-oem" : ""));
      CHECK(family.multi_gpu_runs_on.empty());
      CHECK(family.benchmark_runs_on.empty());
      CHECK(family.test_why == (has_it ? "label 'test_runner:oem'"
                                       : "label 'test_runner:oem': no runner of the family has "
                                         "that kernel"));
    }
  }
}

TEST_CASE("runners are those of the family's row", "[selection]") {
  const Selection selection = MustSelect({.event = "pull_request"});
  const SelectedFamily& full = Built(selection, "linux", "gfx94X-dcgpu");
  CHECK(full.build_runs_on == "azure-linux-scale-rocm");
  CHECK(full.test_runs_on == "linux-mi325-1gpu-ossci-rocm");
  CHECK(full.multi_gpu_runs_on == "linux-mi325-8gpu-ossci-rocm");
  CHECK(full.benchmark_runs_on == "linux-mi325-8gpu-ossci-rocm");
  CHECK(full.fetch_targets == Texts{"gfx942"});
  CHECK_FALSE(full.sanity_check_only);
  const SelectedFamily& parked = Built(selection, "linux", "gfx110X-all");
  CHECK(parked.test_runs_on.empty());
  CHECK(parked.test_why ==
        "the runner linux-gfx110X-gpu-rocm is parked "
        "(https://github.com/ROCm/TheRock/issues/3298)");
  CHECK(Built(selection, "linux", "gfx1151").sanity_check_only);
  CHECK(Built(MustSelect({.event = "schedule"}), "linux", "gfx1152").test_why ==
        "no runner tests the family");
}

TEST_CASE("other organizations have no runners", "[selection]") {
  const Selection selection =
      MustSelect({.event = "pull_request", .repository = "somebody/TheRock"});
  CHECK(Built(selection, "linux", "gfx94X-dcgpu").build_runs_on == "ubuntu-24.04");
  CHECK(Built(selection, "windows", "gfx1151").build_runs_on == "windows-2022");
  CHECK(Built(selection, "windows", "gfx1151").test_runs_on.empty());
  CHECK(Built(selection, "windows", "gfx1151").test_why ==
        "there are no GPU runners outside of the organization");
  const Selection internal =
      MustSelect({.event = "pull_request", .repository = "rocm/therock-internal"});
  CHECK(Built(internal, "linux", "gfx94X-dcgpu").build_runs_on == "azure-linux-scale-rocm");
}

// "gfx94X-dcgpu ...": those that get PyTorch wheels.
std::string WithPytorch(const Selection& selection, std::string_view platform) {
  std::vector<std::string> names;
  for (const SelectedFamily& family : On(selection, platform).in) {
    if (family.build_pytorch) names.push_back(family.artifact_group);
  }
  return fmt::format("{}", fmt::join(names, " "));
}

TEST_CASE("PyTorch is built for the families of the trigger's row", "[selection]") {
  CHECK(WithPytorch(MustSelect({.event = "pull_request"}), "linux").empty());
  CHECK(Built(MustSelect({.event = "pull_request"}), "linux", "gfx94X-dcgpu").pytorch_why ==
        "pull_request builds PyTorch for gfx94x with the label 'build:pytorch'");
  const Selection labelled = MustSelect({.event = "pull_request", .labels = {"Build:PyTorch"}});
  CHECK(WithPytorch(labelled, "linux") == "gfx94X-dcgpu");
  CHECK(WithPytorch(labelled, "windows").empty());
  const SelectedFamily& family = Built(labelled, "linux", "gfx94X-dcgpu");
  CHECK(family.pytorch_why == "label 'build:pytorch'");
  CHECK(family.pytorch_gfx == "gfx94X-dcgpu");
  REQUIRE(family.pytorch_combos.size() == 1);
  CHECK(family.pytorch_combos[0].id == "py312_torch210");
  CHECK(family.pytorch_combos[0].python == "3.12");
  CHECK(family.pytorch_combos[0].torch == "release/2.10");
  CHECK(WithPytorch(MustSelect({.event = "push", .branch = "main"}), "linux") == "gfx94X-dcgpu");

  // At night for all that are not known to fail.
  const Selection nightly = MustSelect({.event = "schedule", .variants = {"release"}});
  CHECK(WithPytorch(nightly, "linux") ==
        "gfx94X-dcgpu gfx110X-all gfx1151 gfx120X-all gfx950-dcgpu gfx90X-dcgpu gfx103X-dgpu "
        "gfx1150 gfx1152 gfx1153");
  CHECK(WithPytorch(nightly, "windows") ==
        "gfx110X-all gfx1151 gfx120X-all gfx101X-dgpu gfx103X-dgpu gfx1150 gfx1152 gfx1153");
  const SelectedFamily& broken = Built(nightly, "linux", "gfx101X-dgpu");
  CHECK(broken.pytorch_why == "known failure");
  CHECK(broken.pytorch_issue == "https://github.com/ROCm/TheRock/issues/1926");
  CHECK(Built(nightly, "windows", "gfx90X-dcgpu").pytorch_issue ==
        "https://github.com/ROCm/TheRock/issues/1927");
}

TEST_CASE("by hand, PyTorch is built for what was typed", "[selection]") {
  const auto with = [](const std::string& typed) {
    return MustSelect(
        ByHand({{"linux_amdgpu_families", "gfx94x gfx950"}, {"pytorch_amdgpu_families", typed}}));
  };
  CHECK(WithPytorch(with(""), "linux") == "gfx94X-dcgpu gfx950-dcgpu");
  CHECK(WithPytorch(with("all"), "linux") == "gfx94X-dcgpu gfx950-dcgpu");
  CHECK(WithPytorch(with("none"), "linux").empty());
  CHECK(WithPytorch(with("gfx950"), "linux") == "gfx950-dcgpu");
  CHECK(Built(with("gfx950"), "linux", "gfx94X-dcgpu").pytorch_why ==
        "not typed in pytorch_amdgpu_families");
  CHECK(Complaints(
            ByHand({{"linux_amdgpu_families", "gfx94x"}, {"pytorch_amdgpu_families", "gfx950"}})) ==
        "error[family-not-built]: 'gfx950' is typed in 'pytorch_amdgpu_families', and in no input "
        "of families to build\n"
        "   = type it there too: PyTorch is built with the ROCm packages of the same run\n");
  CHECK(Complaints(ByHand(
            {{"linux_amdgpu_families", "gfx101x"}, {"pytorch_amdgpu_families", "gfx101x"}})) ==
        "error[known-failure-selected]: 'gfx101x' is typed in 'pytorch_amdgpu_families', and its "
        "PyTorch is known to fail\n"
        "   = https://github.com/ROCm/TheRock/issues/1926\n"
        "   = when it is mended, take the known failure out of matrix/families.yml\n");
  // It fails on Linux alone.
  CHECK(Complaints(ByHand({{"linux_amdgpu_families", "gfx101x"},
                           {"windows_amdgpu_families", "gfx101x"},
                           {"pytorch_amdgpu_families", "gfx101x"}}))
            .empty());
}

TEST_CASE("families that share wheels are built together", "[selection]") {
  const PlanFile plan = ChangedPlan(
      {{R"("gfx": "gfx1150", "key": "gfx1150", "families": ["gfx1150"], "tier": "nightly", )"
        R"("runners": {}, "promotes": "never", "combos": ["py312_torch210"]},)",
        R"("gfx": "small", "key": "small", "families": ["gfx1150", "gfx1151"], "tier": "nightly", )"
        R"("runners": {}, "promotes": "never", "combos": ["py312_torch210"]},)"}});
  const auto typed = [&](const std::string& families) {
    return MustSelect(
        ByHand({{"linux_amdgpu_families", families}, {"pytorch_amdgpu_families", "gfx1150"}}),
        plan);
  };
  CHECK(Built(typed("gfx1150 gfx1151"), "linux", "gfx1150").pytorch_gfx == "small");
  CHECK(Built(typed("gfx1150"), "linux", "gfx1150").pytorch_why ==
        "'small' shares its wheels with gfx1151, which is not built");
}

TEST_CASE("the test type is that of the first row that fits", "[selection]") {
  struct Case {
    EventInputs inputs;
    std::string type, why;
  };
  const Texts submodules{"rocm-libraries", "compiler/amd-llvm"};
  const std::vector<Case> cases{
      {{.event = "schedule"}, "full", "schedule: The nightly run is the thorough one"},
      {{.event = "pull_request"}, "smoke", "Quick answers for everyday changes"},
      {{.event = "pull_request", .labels = {"test:rocblas"}},
       "full",
       "test:rocblas: Somebody asked for a component's tests"},
      {{.event = "pull_request",
        .changed_files = Texts{"a.cpp", "compiler/amd-llvm"},
        .submodules = submodules},
       "full",
       "submodule 'compiler/amd-llvm': A bump of a submodule brings in many changes at once"},
      // Below a submodule is not the submodule.
      {{.event = "push",
        .branch = "main",
        .changed_files = Texts{"compiler/amd-llvm/x", "compiler"},
        .submodules = submodules},
       "smoke",
       "Quick answers for everyday changes"},
      {ByHand({{"linux_amdgpu_families", "gfx94x"}, {"windows_test_labels", "test:miopen"}}),
       "full", "test:miopen: Somebody asked for a component's tests"},
      {ByHand({{"linux_amdgpu_families", "gfx94x"}}), "smoke",
       "Quick answers for everyday changes"},
  };
  for (const Case& c : cases) {
    const Selection selection = MustSelect(c.inputs);
    CHECK(selection.test_type == c.type);
    CHECK(selection.test_type_why == c.why);
  }
}

TEST_CASE("test labels are for a platform or for both", "[selection]") {
  Selection selection =
      MustSelect({.event = "pull_request", .labels = {"test:rocBLAS", "test:hipblaslt"}});
  CHECK(On(selection, "linux").test_labels == Texts{"hipblaslt", "rocblas"});
  CHECK(On(selection, "windows").test_labels == Texts{"hipblaslt", "rocblas"});
  selection = MustSelect(ByHand({{"linux_amdgpu_families", "gfx94x"},
                                 {"linux_test_labels", "test:rocblas, test:miopen"},
                                 {"additional_label_options", "test:rccl"}}));
  CHECK(On(selection, "linux").test_labels == Texts{"miopen", "rccl", "rocblas"});
  CHECK(On(selection, "windows").test_labels == Texts{"rccl"});
}

TEST_CASE("prebuilt artifacts come from a run that is named", "[selection]") {
  const Selection selection = MustSelect(ByHand({{"linux_amdgpu_families", "gfx94x"},
                                                 {"linux_use_prebuilt_artifacts", "true"},
                                                 {"windows_use_prebuilt_artifacts", "false"},
                                                 {"artifact_run_id", " 18542317689 "}}));
  CHECK(selection.artifact_run_id == "18542317689");
  CHECK(Built(selection, "linux", "gfx94X-dcgpu").use_prebuilt_artifacts);
  CHECK(Complaints(ByHand({{"linux_use_prebuilt_artifacts", "yes"},
                           {"windows_use_prebuilt_artifacts", "true"}})) ==
        "error[input-value]: the input 'linux_use_prebuilt_artifacts' does not take 'yes'\n"
        "   = it takes true and false\n"
        "\n"
        "error[input-value]: prebuilt artifacts are asked for, and 'artifact_run_id' is empty\n"
        "   = name the run that built them\n");
  CHECK(Complaints(ByHand({{"artifact_run_id", "$(id)"}})) ==
        "error[input-value]: the input 'artifact_run_id' does not take '$(id)'\n"
        "   = it takes the number of a run, as in its address\n");
}

TEST_CASE("the workflows of an event are those of its row", "[selection]") {
  CHECK(MustSelect({.event = "pull_request"}).workflows == Texts{"ci_pull_request"});
  CHECK(MustSelect({.event = "push"}).workflows == Texts{"ci_postsubmit"});
  CHECK(MustSelect({.event = "schedule"}).workflows == Texts{"ci_nightly"});
}

}  // namespace
}  // namespace wheelwright
