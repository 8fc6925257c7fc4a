// Reading plan.json, and saying what is wrong with it.
#include <catch2/catch.hpp>

#include "selection/plan_file.h"
#include "tests/unit/combo_matrix.h"
#include "tests/unit/selection_plan.h"

namespace wheelwright {
namespace {

std::string Problems(const std::string& text) {
  Diagnostics diagnostics;
  const auto plan = ReadPlanFile(text, "plan.json", diagnostics);
  CHECK(plan.has_value() == (diagnostics.errors() == 0));
  return Said(diagnostics);
}

std::string Changed(const std::string& from, const std::string& to) {
  std::string text = RepositoryPlanText();
  const std::size_t at = text.find(from);
  REQUIRE(at != std::string::npos);
  return text.replace(at, from.size(), to);
}

TEST_CASE("a plan keeps the order of the matrix", "[selection]") {
  const PlanFile& plan = RepositoryPlan();
  CHECK(plan.repository == "ROCm/TheRock");
  CHECK(plan.tiers == Texts{"presubmit", "postsubmit", "nightly"});
  REQUIRE(plan.families.size() == 11);
  CHECK(plan.families.front().key == "gfx94x");
  CHECK(plan.families.back().key == "gfx1153");
  REQUIRE(plan.platforms.size() == 2);
  CHECK(plan.platforms[0].variants.size() == 3);
  CHECK(plan.FindFamily("GFX94X-DCGPU") == &plan.families.front());
  CHECK(plan.FindFamily("gfx94") == nullptr);
  REQUIRE(plan.FindSet("release") != nullptr);
  CHECK(plan.FindSet("release")->builds.size() == 18);
}

TEST_CASE("a combo that differs for a build is read from there", "[selection]") {
  ComboMatrix matrix;
  matrix.Rules(
      "    include:\n"
      "      - { gfx: gfx1, python: \"3.12\", torch: nightly, tests: false }\n");
  matrix.Compute();
  Diagnostics diagnostics;
  const auto plan =
      ReadPlanFile(PlanText(*matrix.matrix, matrix.combos, matrix.arena), "plan.json", diagnostics);
  INFO(Said(diagnostics));
  REQUIRE(plan);
  for (const PlannedBuild& build : plan->FindSet("release")->builds) {
    for (const PlannedCombo& combo : build.combos) {
      const bool differs = build.key == "gfx1" && combo.id == "py312_nightly";
      CHECK(combo.tests == !differs);
    }
  }
}

TEST_CASE("what is no plan is refused", "[selection]") {
  CHECK(Problems("{") ==
        "error[plan-syntax]: plan.json is not JSON\n"
        "   = `wheelwright generate` writes it from matrix/\n");
  CHECK(Problems(Changed("\"format\": 2", "\"format\": 1")) ==
        "error[plan-format]: plan.json has format 1, and this program reads format 2\n"
        "   = an older version made it: run `wheelwright generate` of this version, whose "
        "templates/plan.yml writes the new format\n");
  CHECK(Problems(Changed("\"format\": 2", "\"format\": 3")) ==
        "error[plan-format]: plan.json has format 3, and this program reads format 2\n"
        "   = it is made for a newer version of wheelrun: install that one\n");
  CHECK(Problems("[]").starts_with(
      "error[plan-content]: plan.json: the whole file is a list; it must be an object\n"));
  CHECK(Problems("{}").starts_with("error[plan-content]: plan.json: 'format' is missing\n"));
  CHECK_FALSE(Problems("").empty());
  CHECK_FALSE(Problems(std::string(100000, '[')).empty());
}

TEST_CASE("everything wrong with a plan is said with its path", "[selection]") {
  std::string text = Changed("\"tier\": \"presubmit\",\n      \"linux\"", "\"linux\"");
  const auto replace = [&](const std::string& from, const std::string& to) {
    const std::size_t at = text.find(from);
    REQUIRE(at != std::string::npos);
    text.replace(at, from.size(), to);
  };
  replace("\"targets\": [\"gfx942\"]", "\"targets\": [942]");
  replace("\"effect\": \"skip\"", "\"effect\": \"jump\"");
  replace("\"py312_torch210\"]}", "\"py399_torch210\"]}");
  CHECK(Problems(text) == R"(error[plan-content]: plan.json: 'families.gfx94x.tier' is missing
   = `wheelwright generate` of the same version writes it from matrix/

error[plan-content]: plan.json: 'families.gfx94x.linux.targets.0' is a number; it must be a text
   = `wheelwright generate` of the same version writes it from matrix/

error[plan-content]: plan.json: 'labels.skip-ci.effect' is 'jump', a word that this program does not know
   = `wheelwright generate` of the same version writes it from matrix/

error[plan-content]: plan.json: 'combos.ci.builds.0.combos.0' is 'py399_torch210', a combo that has no row
   = `wheelwright generate` of the same version writes it from matrix/
)");
}

}  // namespace
}  // namespace wheelwright
