// What is wrong with labels, inputs and events, and text that means harm.
#include <catch2/catch.hpp>

#include "base/json.h"
#include "base/text.h"
#include "selection/report.h"
#include "tests/unit/selection_plan.h"

namespace wheelwright {
namespace {

EventInputs Labelled(Texts labels) {
  return {.event = "pull_request", .labels = std::move(labels)};
}

TEST_CASE("everything wrong with labels is said at once", "[selection]") {
  CHECK(Complaints(Labelled({"gfx9999", "gfx95-linux", "test:rocblass", "test:rocblas:fast",
                             "test_runner:oen", "test_runner:x", "docs"})) ==
        R"(error[unknown-label]: the label 'gfx95-linux' asks for no family
   = did you mean 'gfx950'?

error[unknown-label]: the label 'gfx9999' asks for no family
   = the families are gfx94x, gfx110x, gfx1151, gfx120x, gfx950, gfx90x, gfx101x, gfx103x, gfx1150, gfx1152, gfx1153

error[unknown-label]: 'test:rocblas:fast' asks for no component that has tests
   = the components are aqlprofile, hip-tests, hipblas, hipblaslt, hipblaslt_plugin, hipcub, hipdnn, hipdnn-samples, hipdnn_install, hipfft, hiprand, hipsolver, hipsparse, hipsparselt, libhipcxx_hipcc, libhipcxx_hiprtc, miopen, miopen_plugin, rccl, rocblas, rocfft, rocprim, rocprofiler_systems, rocr-debug-agent, rocrand, rocroller, rocsolver, rocsparse, rocthrust, rocwmma

error[unknown-label]: 'test:rocblass' asks for no component that has tests
   = did you mean 'test:rocblas'?

error[unknown-label]: the label 'test_runner:oen' asks for a kernel that no runner has
   = did you mean 'test_runner:oem'?

error[unknown-label]: the label 'test_runner:x' asks for a kernel that no runner has
   = the kernels are oem
)");
}

TEST_CASE("labels that nearly mean something are warned of", "[selection]") {
  CHECK(Complaints(Labelled({"skip_ci", "build:pytorh", "tests:rocblas", "run-all-arch-ci"})) ==
        R"(warning[unknown-label]: the label 'skip_ci' means nothing here
   = did you mean 'skip-ci'?

warning[unknown-label]: the label 'build:pytorh' means nothing here
   = did you mean 'build:pytorch'?

warning[unknown-label]: the label 'tests:rocblas' means nothing here
   = did you mean 'test:rocblas'?

warning[unknown-label]: the label 'run-all-arch-ci' means nothing here
   = did you mean 'run-all-archs-ci'?
)");
  CHECK(Complaints(Labelled({"bug", "skip", "documentation", "area:build", "testing", "Windows",
                             "gf", "good first issue"}))
            .empty());
}

TEST_CASE("two labels cannot choose two runners", "[selection]") {
  const PlanFile plan =
      ChangedPlan({{R"("oem": "linux-strix-halo-gpu-rocm-oem")",
                    R"("oem": "linux-strix-halo-gpu-rocm-oem", "lts": "linux-lts")"}});
  CHECK(Complaints(Labelled({"test_runner:oem", "test_runner:lts"}), plan) ==
        "error[conflicting-labels]: 'test_runner:lts' and 'test_runner:oem' ask for different "
        "runners of the tests\n"
        "   = take one of them off\n");
}

TEST_CASE("everything wrong with inputs is said at once", "[selection]") {
  const EventInputs inputs{.event = "workflow_dispatch",
                           .inputs = {{"linux_amdgpu_family", "gfx94x"},
                                      {"linux_amdgpu_families", "gfx94 none gfx1151"},
                                      {"windows_amdgpu_families", "gfx94x"},
                                      {"linux_test_labels", "rocblas"},
                                      {"build_variant", "assan"},
                                      {"rocm_version", "7.12.0"}}};
  CHECK(Complaints(inputs) == R"(error[unknown-input]: there is no input 'linux_amdgpu_family'
   = did you mean 'linux_amdgpu_families'?

error[unknown-input]: only a release has the input 'rocm_version'
   = release_type makes the run a release

error[unknown-variant]: there is no variant 'assan'
   = did you mean 'asan'?

error[unknown-family]: there is no family 'gfx94', typed in 'linux_amdgpu_families'
   = did you mean 'gfx94x'?
   = `wheelwright plan` lists the families

error[input-value]: 'none' stands beside other words in 'linux_amdgpu_families'
   = write it alone, or the families without it

error[family-not-built]: 'gfx94x' is typed in 'windows_amdgpu_families' and has no row for windows
   = leave it out

error[unknown-label]: 'rocblas', typed in 'linux_test_labels', asks for no component that has tests
   = did you mean 'test:rocblas'?
)");
}

TEST_CASE("inputs are for runs by hand", "[selection]") {
  CHECK(Complaints({.event = "push",
                    .inputs = {{"linux_amdgpu_families", "gfx94x"}, {"build_variant", ""}}}) ==
        "error[unknown-input]: a push takes no input 'linux_amdgpu_families'\n"
        "   = only workflow_dispatch takes inputs\n");
}

TEST_CASE("an event that starts nothing is an error", "[selection]") {
  CHECK(Complaints({.event = "pull_requests"}) ==
        "error[unknown-event]: the event 'pull_requests' starts nothing\n"
        "   = did you mean 'pull_request'?\n"
        "   = `triggers` of matrix/triggers.yml lists them\n");
}

TEST_CASE("text that means harm is quoted", "[selection]") {
  const std::string harm = "gfx\n::set-output name=x::y\r$(rm -rf ~)`id`\x1b[31m\xff";
  CHECK(
      Complaints(Labelled({harm})) ==
      R"(error[unknown-label]: the label 'gfx\n::set-output name=x::y\r$(rm -rf ~)`id`\x1b[31m\xff' asks for no family
   = the families are gfx94x, gfx110x, gfx1151, gfx120x, gfx950, gfx90x, gfx101x, gfx103x, gfx1150, gfx1152, gfx1153
)");
  const std::string long_one = "test:" + std::string(100000, 'a');
  const std::string said = Complaints(Labelled({long_one}));
  CHECK(said.size() < 2000);
  CHECK(said.starts_with("error[unknown-label]: 'test:aaaa"));
  CHECK(said.find("'... (100,005 bytes) asks for no component") != std::string::npos);
}

TEST_CASE("nothing that is typed breaks a report", "[selection]") {
  const Texts foreign{
      "",
      " ",
      "\n",
      ":",
      "gfx",
      "-",
      "'\"[]",
      "main\n::add-mask::x",
      "$(id)",
      "${{ github.token }}",
      "| x | <b>",
      std::string("\0\1\2", 3),
      "\xff\xfe",
      "\xe2\x82",
      std::string(70000, '*'),
      std::string(5000, ','),
      "\xf0\x9f\x98\x80 gfx94x",
  };
  for (const std::string& text : foreign) {
    const std::vector<EventInputs> events{
        {.event = text},
        {.event = "push", .branch = text, .changed_files = Texts{text}},
        {.event = "pull_request",
         .action = text,
         .labels = {text, "gfx" + text, "test:" + text, "test_runner:" + text},
         .changed_files = Texts{text},
         .submodules = {text}},
        {.event = "pull_request", .variants = {text}, .repository = text},
        {.event = "workflow_dispatch",
         .inputs = {{text, text},
                    {"linux_amdgpu_families", text},
                    {"linux_test_labels", text},
                    {"build_variant", text},
                    {"release_type", text},
                    {"artifact_run_id", text},
                    {"windows_use_prebuilt_artifacts", text},
                    {"additional_label_options", text}}}};
    for (const EventInputs& inputs : events) {
      Diagnostics diagnostics;
      const auto selection = Select(RepositoryPlan(), inputs, diagnostics);
      const auto release = SelectRelease(RepositoryPlan(), inputs, diagnostics);
      std::string printed = Said(diagnostics);
      if (selection) {
        printed += SelectionAsText(*selection) + SelectionAsMarkdown(*selection);
        DumpJson(SelectionAsJson(*selection));
      }
      CHECK((selection.has_value() || release.has_value() || diagnostics.errors() > 0));
      // No line of the output is an order to the runner, and no byte one to the terminal.
      CHECK(printed.find("\n::") == std::string::npos);
      CHECK(Printable(printed) == printed);
    }
  }
}

}  // namespace
}  // namespace wheelwright
