// What a release builds and promotes, by the repository's own matrix.
#include <catch2/catch.hpp>

#include "selection/release.h"
#include "selection/report.h"
#include "tests/unit/selection_plan.h"

namespace wheelwright {
namespace {

using Typed = std::vector<std::pair<std::string, std::string>>;

ReleaseSelection MustRelease(const EventInputs& inputs, ReleaseScope scope = ReleaseScope::kAll) {
  Diagnostics diagnostics;
  auto selection = SelectRelease(RepositoryPlan(), inputs, diagnostics, scope);
  if (!selection) throw FileError(Said(diagnostics));
  return *selection;
}

ReleaseSelection ReleasedByHand(Typed inputs) {
  return MustRelease({.event = "workflow_dispatch", .inputs = std::move(inputs)});
}

std::string Refusals(const EventInputs& inputs) {
  Diagnostics diagnostics;
  SelectRelease(RepositoryPlan(), inputs, diagnostics);
  return Said(diagnostics);
}

const ReleasePlatform& On(const ReleaseSelection& selection, std::string_view platform) {
  return selection.platforms.at(platform == "linux" ? 0 : 1);
}

std::string Families(const ReleaseSelection& selection, std::string_view platform) {
  std::vector<std::string> names;
  for (const ReleaseFamily& family : On(selection, platform).in) names.push_back(family.family);
  return fmt::format("{}", fmt::join(names, " "));
}

const ReleaseFamily& Family(const ReleaseSelection& selection, std::string_view platform,
                            std::string_view name) {
  for (const ReleaseFamily& family : On(selection, platform).in) {
    if (family.family == name) return family;
  }
  throw FileError(fmt::format("{} is not released", name));
}

constexpr auto kAllLinux =
    "gfx94X-dcgpu gfx110X-all gfx1151 gfx120X-all gfx950-dcgpu gfx90X-dcgpu gfx101X-dgpu "
    "gfx103X-dgpu gfx1150 gfx1152 gfx1153";
constexpr auto kAllWindows =
    "gfx110X-all gfx1151 gfx120X-all gfx90X-dcgpu gfx101X-dgpu gfx103X-dgpu gfx1150 gfx1152 "
    "gfx1153";

TEST_CASE("a release builds the families that were typed, or all", "[selection]") {
  struct Case {
    Typed typed;
    std::string linux, windows;
  };
  const std::vector<Case> cases{
      {{}, kAllLinux, kAllWindows},
      {{{"linux_amdgpu_families", "all"}}, kAllLinux, kAllWindows},
      {{{"linux_amdgpu_families", "gfx1153, gfx94X-dcgpu"}, {"windows_amdgpu_families", "none"}},
       "gfx94X-dcgpu gfx1153",
       ""},
      {{{"linux_amdgpu_families", "none"}, {"windows_amdgpu_families", "gfx1151"}}, "", "gfx1151"},
  };
  for (const Case& c : cases) {
    const ReleaseSelection selection = ReleasedByHand(c.typed);
    CHECK(Families(selection, "linux") == c.linux);
    CHECK(Families(selection, "windows") == c.windows);
  }
}

TEST_CASE("the test harness takes families that are tested in full", "[selection]") {
  const ReleaseSelection selection = MustRelease({.event = "schedule"}, ReleaseScope::kTestHarness);
  CHECK(Families(selection, "linux") == "gfx94X-dcgpu gfx950-dcgpu");
  CHECK(Families(selection, "windows") == "gfx1151");
}

TEST_CASE("the release type is typed, scheduled, or dev", "[selection]") {
  CHECK(MustRelease({.event = "schedule"}).release_type == "nightly");
  CHECK(MustRelease({.event = "schedule"}).why == "scheduled for '0 4 * * *'");
  CHECK(ReleasedByHand({}).release_type == "dev");
  CHECK(ReleasedByHand({}).domain == "dev");
  CHECK(ReleasedByHand({{"release_type", "prerelease"}}).release_type == "prerelease");
  CHECK(Refusals({.event = "workflow_dispatch", .inputs = {{"release_type", "nightlies"}}}) ==
        "error[unknown-release-type]: there is no release type 'nightlies'\n"
        "   = did you mean 'nightly'?\n");
}

TEST_CASE("an event starts the releases of the domains that it may reach", "[selection]") {
  struct Case {
    std::string event, type;
    bool may;
  };
  const std::vector<Case> cases{
      {"workflow_dispatch", "dev", true},
      {"workflow_dispatch", "nightly", true},
      {"workflow_dispatch", "prerelease", true},
      {"schedule", "nightly", true},
      {"schedule", "dev", false},
      {"schedule", "prerelease", false},
      {"push", "dev", false},
      {"push", "nightly", false},
      {"pull_request", "dev", false},
      {"pull_request", "nightly", false},
      {"pull_request_target", "nightly", false},
  };
  for (const Case& c : cases) {
    EventInputs inputs{.event = c.event, .inputs = {{"release_type", c.type}}};
    INFO(c.event << " " << c.type);
    CHECK(Refusals(inputs).empty() == c.may);
    inputs.fork = true;
    CHECK_FALSE(Refusals(inputs).empty());
  }
  CHECK(Refusals({.event = "pull_request", .inputs = {{"release_type", "nightly"}}}) ==
        "error[release-event]: 'pull_request' may not start a nightly release\n"
        "   = the domain 'nightly' takes schedule and workflow_dispatch\n"
        "   = `domains` of matrix/release.yml says who may use a release's role and buckets\n");
}

TEST_CASE("a release builds the combos of its type", "[selection]") {
  const auto count = [](const std::string& type, std::string_view platform,
                        std::string_view family) {
    return Family(ReleasedByHand({{"release_type", type}}), platform, family).combos.size();
  };
  CHECK(count("nightly", "linux", "gfx94X-dcgpu") == 20);
  CHECK(count("dev", "linux", "gfx94X-dcgpu") == 20);
  CHECK(count("prerelease", "linux", "gfx94X-dcgpu") == 16);
  CHECK(count("nightly", "windows", "gfx1151") == 12);
  CHECK(count("prerelease", "windows", "gfx1151") == 8);
  CHECK(count("nightly", "linux", "gfx1153") == 8);
  // ROCm is released, PyTorch is not.
  CHECK(count("nightly", "linux", "gfx101X-dgpu") == 0);
  const ReleaseFamily broken = Family(ReleasedByHand({}), "linux", "gfx101X-dgpu");
  REQUIRE(broken.out.size() == 1);
  CHECK(broken.out[0].combos.empty());
  CHECK(broken.out[0].why == "known failure");
  CHECK(broken.out[0].issue == "https://github.com/ROCm/TheRock/issues/1926");
  // Each combo is of one kind only: in, excluded, or not for the release type.
  const ReleaseFamily family =
      Family(ReleasedByHand({{"release_type", "prerelease"}}), "linux", "gfx1153");
  CHECK(family.combos.size() == 4);
  REQUIRE(family.out.size() == 2);
  CHECK(family.out[0].why == "What is about to be released is built from release branches alone");
  CHECK(family.out[0].combos ==
        Texts{"py310_nightly", "py311_nightly", "py312_nightly", "py313_nightly"});
  CHECK(family.out[1].why == "PyTorch knows the gfx1153 target from 2.10 on");
  CHECK(family.out[1].combos.size() == 12);
}

TEST_CASE("runners and bypasses are those of the family's row", "[selection]") {
  const ReleaseSelection selection = MustRelease({.event = "schedule"});
  struct Case {
    std::string platform, family, runner;
    bool bypass;
    Promotes promotes;
  };
  const std::vector<Case> cases{
      {"linux", "gfx94X-dcgpu", "linux-mi325-1gpu-ossci-rocm", false, Promotes::kTests},
      {"linux", "gfx950-dcgpu", "linux-mi355-1gpu-ossci-rocm", false, Promotes::kTests},
      {"windows", "gfx1151", "windows-gfx1151-gpu-rocm", false, Promotes::kTests},
      {"linux", "gfx110X-all", "", true, Promotes::kBypass},
      {"windows", "gfx120X-all", "", true, Promotes::kBypass},
      {"linux", "gfx1151", "linux-gfx1151-gpu-rocm", true, Promotes::kTests},
      {"linux", "gfx120X-all", "linux-gfx120X-gpu-rocm", true, Promotes::kTests},
      {"windows", "gfx110X-all", "windows-gfx110X-gpu-rocm", true, Promotes::kTests},
      // The nightly tier has runners too.
      {"linux", "gfx90X-dcgpu", "linux-gfx90X-gpu-rocm", false, Promotes::kTests},
      {"linux", "gfx103X-dgpu", "linux-gfx1030-gpu-rocm", false, Promotes::kTests},
      {"linux", "gfx1150", "", false, Promotes::kNever},
      {"windows", "gfx1153", "", false, Promotes::kNever},
  };
  for (const Case& c : cases) {
    const ReleaseFamily& family = Family(selection, c.platform, c.family);
    INFO(c.platform << " " << c.family);
    CHECK(family.test_runs_on == c.runner);
    CHECK(family.bypass_tests_for_releases == c.bypass);
    for (const ReleaseCombo& combo : family.combos) CHECK(combo.promotes == c.promotes);
  }
}

TEST_CASE("what the plan says of promotion is what the policy decides", "[selection]") {
  for (const PlannedSet& set : RepositoryPlan().combos) {
    for (const PlannedBuild& build : set.builds) {
      const std::size_t platform = build.platform == "linux" ? 0 : 1;
      std::vector<PromotedFamily> families;
      for (const FamilyRow& family : RepositoryPlan().families) {
        if (!HasText(build.families, family.key)) continue;
        families.push_back({.runner = !family.on[platform]->test_runs_on.empty(),
                            .bypass = family.on[platform]->bypass_tests_for_releases});
      }
      INFO(build.platform << " " << build.gfx);
      CHECK(NameOf(ExpectPromotion(RepositoryPlan().promotion, families, true)) == build.promotes);
    }
  }
}

TEST_CASE("wheels are promoted by the policy", "[selection]") {
  struct Case {
    PromotionCase asked;
    bool promote;
    std::string why;
  };
  const std::string people = "A release branch publishes what it built; people decide there";
  const std::string no_build = "The build did not succeed";
  const std::string failed = "There is a test runner and the tests did not pass";
  const std::string untested =
      "No runner tests this family and the matrix does not let it go untested";
  const std::string fine = "The wheels were built, and tested or let through";
  const std::vector<Case> cases{
      {{"release/therock-7.10", "success", "failure", true, false}, true, people},
      {{"release/therock-7.10", "failure", "success", true, true}, false, no_build},
      {{"release/therock-", "success", "skipped", false, false}, true, people},
      {{"main", "failure", "success", true, true}, false, no_build},
      {{"main", "cancelled", "skipped", true, true}, false, no_build},
      {{"main", "skipped", "skipped", false, true}, false, no_build},
      {{"main", "success", "failure", true, false}, false, failed},
      {{"main", "success", "failure", true, true}, false, failed},  // a bypass is no excuse
      {{"main", "success", "cancelled", true, true}, false, failed},
      {{"main", "success", "skipped", true, true}, false, failed},
      {{"main", "success", "skipped", false, false}, false, untested},
      {{"main", "success", "skipped", false, true}, true, fine},
      {{"main", "success", "success", true, false}, true, fine},
      {{"main", "success", "success", true, true}, true, fine},
      {{"releases/therock-7.10", "success", "skipped", false, false}, false, untested},
  };
  for (const Case& c : cases) {
    const PromotionRow* row = DecidePromotion(RepositoryPlan().promotion, c.asked);
    INFO(c.asked.branch << " " << c.asked.build << " " << c.asked.tests);
    REQUIRE(row != nullptr);
    CHECK(row->promote == c.promote);
    CHECK(row->why == c.why);
  }
  CHECK(DecidePromotion({}, {"main", "success", "success", true, true}) == nullptr);
}

TEST_CASE("inputs of a test run are none of a release's", "[selection]") {
  CHECK(Refusals({.event = "workflow_dispatch",
                  .inputs = {{"release_type", "dev"},
                             {"linux_test_labels", "test:rocblas"},
                             {"rocm_versoin", "7.12.0"},
                             {"linux_amdgpu_families", "gfx1234"}}}) ==
        R"(error[unknown-input]: a release has no input 'linux_test_labels'
   = release_type makes the run a release

error[unknown-input]: there is no input 'rocm_versoin'
   = did you mean 'rocm_version'?

error[unknown-family]: there is no family 'gfx1234', typed in 'linux_amdgpu_families'
   = did you mean 'gfx120x'?
   = `wheelwright plan` lists the families
)");
}

}  // namespace
}  // namespace wheelwright
