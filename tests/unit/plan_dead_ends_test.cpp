#include <catch2/catch.hpp>
#include <string>

#include "tests/unit/combo_matrix.h"

using namespace wheelwright;

namespace {

std::string DeadEnds(ComboMatrix& m) {
  m.Compute();
  m.diagnostics = {};
  m.Check(*m.matrix, m.combos, Severity::kWarning);
  return Render(m.diagnostics, m.sources, ReportFormat::kText, false);
}

}  // namespace

TEST_CASE("a dead end is told at the row that would mend it", "[plan]") {
  ComboMatrix m;
  CHECK(
      DeadEnds(m) ==
      R"(warning[dead-end]: wheels of gfx2-all for windows can never be promoted: no runner, no bypass
  --> matrix/families.yml:9:5
   |
 9 |     windows: { family: gfx2-all, targets: [gfx2a, gfx2b] }
   |     ^^^^^^^ add test_runs_on or bypass_tests_for_releases
   = 2 combos are built, and held in staging
)");
}

TEST_CASE("what is not tested needs a bypass", "[plan]") {
  ComboMatrix m;
  m.Rules(
      "    include:\n      - { gfx: gfx1-alpha, python: \"3.12\", torch: nightly, tests: false "
      "}\n");
  m.Replace("families", "    windows: { family: gfx2-all, targets: [gfx2a, gfx2b] }\n",
            "    windows: { family: gfx2-all, targets: [gfx2a, gfx2b], parked_runner: { runs_on: "
            "gpu-2, issue: https://github.com/ROCm/TheRock/issues/3199 } }\n");
  CHECK(
      DeadEnds(m) ==
      R"(warning[dead-end]: wheels of gfx2-all for windows can never be promoted: no runner, no bypass
  --> matrix/families.yml:9:5
   |
 9 |     windows: { family: gfx2-all, targets: [gfx2a, gfx2b], parked_runner: { runs_on: gpu-2, issue: https://github.com/ROCm/TheRock/issues/3199 } }
   |     ^^^^^^^ add test_runs_on or bypass_tests_for_releases
   = 2 combos are built, and held in staging
   = the runner gpu-2 is parked: https://github.com/ROCm/TheRock/issues/3199

warning[dead-end]: wheels of gfx1-alpha for linux can never be promoted: not tested, no bypass
   --> matrix/families.yml:5:5
    |
  5 |     linux: { family: gfx1-alpha, targets: [gfx1a], test_runs_on: gpu-1, fetch_targets: [gfx1a] }
    |     ^^^^^ add bypass_tests_for_releases
   ::: matrix/pytorch.yml:12:67
    |
 12 |       - { gfx: gfx1-alpha, python: "3.12", torch: nightly, tests: false }
    |                                                                   ^^^^^ their tests are off
    = 1 combo is built, and held in staging
)");
}

TEST_CASE("a set that no release type publishes has no dead ends to tell", "[plan]") {
  ComboMatrix m;
  m.Rules("    release_types: []\n");
  CHECK(DeadEnds(m) == "");
}
