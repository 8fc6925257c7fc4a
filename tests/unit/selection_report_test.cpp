// Selections as people and programs see them.
#include <catch2/catch.hpp>

#include "selection/report.h"
#include "tests/unit/selection_plan.h"

namespace wheelwright {
namespace {

TEST_CASE("a selection as text", "[selection]") {
  CHECK(SelectionAsText(MustSelect({.event = "pull_request",
                                    .labels = {"gfx950", "build:pytorch", "test:rocblas"},
                                    .changed_files = Texts{"core/a.cpp"}})) ==
        R"(pull_request starts ci_pull_request.yml
build: yes ('core/a.cpp' changed)
tests: full (test:rocblas: Somebody asked for a component's tests)
tested in full on Linux: rocblas
tested in full on Windows: rocblas

Linux
family        variant  builds on               tests on                                PyTorch         why
gfx94X-dcgpu  release  azure-linux-scale-rocm  linux-mi325-1gpu-ossci-rocm             py312_torch210  tier presubmit is built by pull_request
gfx110X-all   release  azure-linux-scale-rocm  -                                       -               tier presubmit is built by pull_request
gfx1151       release  azure-linux-scale-rocm  linux-gfx1151-gpu-rocm (sanity checks)  -               tier presubmit is built by pull_request
gfx120X-all   release  azure-linux-scale-rocm  linux-gfx120X-gpu-rocm (sanity checks)  -               tier presubmit is built by pull_request
gfx950-dcgpu  release  azure-linux-scale-rocm  linux-mi355-1gpu-ossci-rocm             -               label 'gfx950'
not tested  the runner linux-gfx110X-gpu-rocm is parked (https://github.com/ROCm/TheRock/issues/3298)  gfx110X-all
no PyTorch  pull_request builds no PyTorch for it                                                      gfx110X-all, gfx1151, gfx120X-all, gfx950-dcgpu
out         tier nightly is not built by pull_request                                                  gfx90x, gfx101x, gfx103x, gfx1150, gfx1152, gfx1153

Windows
family       variant  builds on                 tests on                                  PyTorch  why
gfx110X-all  release  azure-windows-scale-rocm  windows-gfx110X-gpu-rocm (sanity checks)  -        tier presubmit is built by pull_request
gfx1151      release  azure-windows-scale-rocm  windows-gfx1151-gpu-rocm                  -        tier presubmit is built by pull_request
gfx120X-all  release  azure-windows-scale-rocm  -                                         -        tier presubmit is built by pull_request
not tested  the runner windows-gfx120X-gpu-rocm is parked (https://github.com/ROCm/TheRock/issues/2962)  gfx120X-all
no PyTorch  pull_request builds no PyTorch for it                                                        gfx110X-all, gfx1151, gfx120X-all
out         no row for windows                                                                           gfx94x, gfx950
out         tier nightly is not built by pull_request                                                    gfx90x, gfx101x, gfx103x, gfx1150, gfx1152, gfx1153
)");
  CHECK(SelectionAsText(MustSelect({.event = "pull_request", .labels = {"skip-ci"}})) ==
        "pull_request starts ci_pull_request.yml\n"
        "build: no (the label 'skip-ci')\n");
}

TEST_CASE("a selection as Markdown", "[selection]") {
  CHECK(SelectionAsMarkdown(MustSelect({.event = "workflow_dispatch",
                                        .inputs = {{"linux_amdgpu_families", "gfx94x gfx101x"},
                                                   {"linux_test_labels", "test:miopen"}}})) ==
        R"(- **workflow_dispatch** starts ci_nightly.yml
- Build: **yes**: workflow_dispatch builds whatever changed
- Tests: **full**: test:miopen: Somebody asked for a component's tests

|  | family | platform | why | tests on | PyTorch |
| --- | --- | --- | --- | --- | --- |
| in | gfx94X-dcgpu | Linux | typed in linux_amdgpu_families | linux-mi325-1gpu-ossci-rocm | py312_torch210 |
| in | gfx101X-dgpu | Linux | typed in linux_amdgpu_families | - no runner tests the family | - known failure, https://github.com/ROCm/TheRock/issues/1926 |
| out | gfx110X-all | Linux | not typed in linux_amdgpu_families |  |  |
| out | gfx1151 | Linux | not typed in linux_amdgpu_families |  |  |
| out | gfx120X-all | Linux | not typed in linux_amdgpu_families |  |  |
| out | gfx950-dcgpu | Linux | not typed in linux_amdgpu_families |  |  |
| out | gfx90X-dcgpu | Linux | not typed in linux_amdgpu_families |  |  |
| out | gfx103X-dgpu | Linux | not typed in linux_amdgpu_families |  |  |
| out | gfx1150 | Linux | not typed in linux_amdgpu_families |  |  |
| out | gfx1152 | Linux | not typed in linux_amdgpu_families |  |  |
| out | gfx1153 | Linux | not typed in linux_amdgpu_families |  |  |
| out | gfx94x | Windows | no row for windows |  |  |
| out | gfx110X-all | Windows | nothing is typed in windows_amdgpu_families |  |  |
| out | gfx1151 | Windows | nothing is typed in windows_amdgpu_families |  |  |
| out | gfx120X-all | Windows | nothing is typed in windows_amdgpu_families |  |  |
| out | gfx950 | Windows | no row for windows |  |  |
| out | gfx90X-dcgpu | Windows | nothing is typed in windows_amdgpu_families |  |  |
| out | gfx101X-dgpu | Windows | nothing is typed in windows_amdgpu_families |  |  |
| out | gfx103X-dgpu | Windows | nothing is typed in windows_amdgpu_families |  |  |
| out | gfx1150 | Windows | nothing is typed in windows_amdgpu_families |  |  |
| out | gfx1152 | Windows | nothing is typed in windows_amdgpu_families |  |  |
| out | gfx1153 | Windows | nothing is typed in windows_amdgpu_families |  |  |

tested in full on Linux: miopen
)");
}

TEST_CASE("a selection as JSON", "[selection]") {
  const auto json = SelectionAsJson(MustSelect({.event = "push", .branch = "main"}));
  CHECK(json["build"] == true);
  CHECK(json["workflows"] == nlohmann::json::array({"ci_postsubmit"}));
  const auto& family = json["platforms"]["linux"]["in"][0];
  CHECK(family["artifact_group"] == "gfx94X-dcgpu");
  CHECK(family["pytorch_combos"][0]["id"] == "py312_torch210");
  CHECK(json["platforms"]["windows"]["out"][0]["why"] == "no row for windows");
}

TEST_CASE("a release as text and as JSON", "[selection]") {
  Diagnostics diagnostics;
  const auto release =
      SelectRelease(RepositoryPlan(),
                    {.event = "workflow_dispatch",
                     .inputs = {{"release_type", "prerelease"},
                                {"linux_amdgpu_families", "gfx94x gfx110x gfx101x gfx1153"},
                                {"windows_amdgpu_families", "gfx1151"}}},
                    diagnostics);
  REQUIRE(release);
  CHECK(SelectionAsText(*release) ==
        R"(prerelease release by workflow_dispatch (typed in release_type)

Linux
family        builds on               tests on                     combos  promoted
gfx94X-dcgpu  azure-linux-scale-rocm  linux-mi325-1gpu-ossci-rocm  16      when tests pass
gfx110X-all   azure-linux-scale-rocm  -                            16      without tests
gfx101X-dgpu  azure-linux-scale-rocm  -                            0       -
gfx1153       azure-linux-scale-rocm  -                            4       never
no PyTorch  What is about to be released is built from release branches alone                           gfx94X-dcgpu 4 combos, gfx110X-all 4 combos, gfx1153 4 combos
no PyTorch  known failure, https://github.com/ROCm/TheRock/issues/1926                                  gfx101X-dgpu
no PyTorch  PyTorch knows the gfx1153 target from 2.10 on, https://github.com/ROCm/TheRock/issues/2723  gfx1153 12 combos
out         not typed in linux_amdgpu_families                                                          gfx1151, gfx120x, gfx950, gfx90x, gfx103x, gfx1150, gfx1152

Windows
family   builds on                 tests on                  combos  promoted
gfx1151  azure-windows-scale-rocm  windows-gfx1151-gpu-rocm  8       when tests pass
no PyTorch  What is about to be released is built from release branches alone  gfx1151 4 combos
out         no row for windows                                                 gfx94x, gfx950
out         not typed in windows_amdgpu_families                               gfx110x, gfx120x, gfx90x, gfx101x, gfx103x, gfx1150, gfx1152, gfx1153
)");
  const auto json = SelectionAsJson(*release);
  CHECK(json["platforms"]["linux"]["in"][0]["combos"][0]["promotes"] == "tests");
  CHECK(json["platforms"]["linux"]["in"][2]["out"][0]["combos"] == "all");
  const std::string markdown = SelectionAsMarkdown(*release);
  CHECK(markdown.find("| in | gfx1153 | Linux |") != std::string::npos);
}

TEST_CASE("foreign text cannot break out of a cell", "[selection]") {
  const std::string markdown = SelectionAsMarkdown(
      MustSelect({.event = "push", .branch = "x | <img src=y> `a` [b](c)\n# d"}));
  CHECK(markdown.find("on 'x \\| \\<img src=y\\> \\`a\\` \\[b\\](c)\\\\n# d'") !=
        std::string::npos);
}

}  // namespace
}  // namespace wheelwright
