#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "base/file_system.h"
#include "base/json.h"
#include "generator/plan/cell_blocks.h"
#include "generator/plan/report.h"
#include "tests/unit/combo_matrix.h"
#include "tests/unit/plan_text.h"
#include "tests/unit/repository_matrix.h"

namespace wheelwright {
namespace {

// A matrix with a bit of everything: an exclude, a combo that is not tested, two dead ends.
struct Planned : ComboMatrix {
  Planned() {
    Rules(
        "    exclude:\n"
        "      - { gfx: gfx2, python: \"3.11\", torch: nightly, why: Too new, issue: "
        "https://github.com/ROCm/TheRock/issues/2723 }\n"
        "    include:\n"
        "      - { gfx: gfx1, python: \"3.12\", torch: nightly, tests: false, why: Hangs there, "
        "issue: https://github.com/ROCm/TheRock/issues/999 }\n");
    Compute();
    WorkflowUsage ci;
    ci.file = "ci.yml";
    ci.jobs = 12;
    ci.bytes = 900;
    ci.needs_edges = 20;
    ci.run_jobs = 14;
    ci.run_edges = 21;
    ci.reusable_files = 45;
    ci.reusable_levels = 3;
    ci.dispatch_inputs = 2;
    ci.expression_bytes = 321;
    WorkflowUsage release;
    release.file = "release_linux_gfx1-alpha.yml";
    release.jobs = 1100;
    release.bytes = 62464;
    release.needs_edges = 1400;
    release.run_jobs = 1200;
    release.run_edges = 1420;
    release.reusable_files = 2;
    release.reusable_levels = 2;
    release.expression_bytes = 88;
    release.branches = {&combos.sets[0].branches[0]};
    files = {ci, release};
  }

  std::string Report(const PlanOptions& options) {
    const PlanReport report = MakeReport(*matrix, combos, files, options);
    return RenderReport(report, matrix->schema, options, sources);
  }

  std::vector<WorkflowUsage> files;
};

TEST_CASE("the plan as a table", "[plan]") {
  Planned m;
  CHECK(m.Report({}) == R"(release, linux
family      python     torch    runner  promotes
gfx1-alpha  3.11 3.12  2.9      gpu-1   when tests pass
            3.11       nightly  gpu-1   when tests pass
            3.12       nightly  -       never: not tested, no bypass     !
gfx2-all    3.11 3.12  2.9      -       without tests (bypass)
            3.12       nightly  -       without tests (bypass)
gfx3        -          -        -       known failure ROCm/TheRock#1926

release, windows
family    python  torch        runner  promotes
gfx2-all  3.12    2.9 nightly  -       never: no runner, no bypass  !
no row for windows: gfx1 gfx3

known failure  platform  issue                                        row
gfx3           linux     https://github.com/ROCm/TheRock/issues/1926  matrix/families.yml:15

excluded  platform  python  torch    combos  why
gfx2-all  linux     3.11    nightly  1       Too new (ROCm/TheRock#2723), matrix/pytorch.yml:12

changed     platform  python  torch    combos  to            why
gfx1-alpha  linux     3.12    nightly  1       tests: false  Hangs there (ROCm/TheRock#999), matrix/pytorch.yml:14

release type  does not take  why
stable        torch nightly  Branches alone, matrix/release.yml:15

dead end    platform  combos  what would mend it                                           row
gfx1-alpha  linux     1       give gfx1 bypass_tests_for_releases, or drop `tests: false`  matrix/families.yml:5
gfx2-all    windows   2       give gfx2 a test_runs_on or bypass_tests_for_releases        matrix/families.yml:9

limit               used   of            fullest file
file size           61 KB  500 KB  12%   release_linux_gfx1-alpha.yml
longest expression  321    21,000  1%    ci.yml
jobs in a run       1,200  1,000   120%  release_linux_gfx1-alpha.yml  !
needs edges         1,420  4,000   35%   release_linux_gfx1-alpha.yml
workflows called    45     50      90%   ci.yml                        !
levels of calls     3      10      30%   ci.yml
dispatch inputs     2      25      8%    ci.yml

9 combos, 1,112 jobs in 2 files; largest file 61 KB of 500 KB; needs edges 1,420 of 4,000
)");
}

TEST_CASE("the plan with every combo, in or out", "[plan]") {
  Planned m;
  m.files.clear();
  PlanOptions options;
  options.each_cell = true;
  CHECK(m.Report(options) == R"(release, linux
family      combo               promotes, or why it is out                                 release types
gfx1-alpha  py311_torch29  in   when tests pass                                            dev stable
gfx1-alpha  py311_nightly  in   when tests pass                                            dev
gfx1-alpha  py312_torch29  in   when tests pass                                            dev stable
gfx1-alpha  py312_nightly  in   never: not tested, no bypass !                             dev
gfx2-all    py311_torch29  in   without tests (bypass)                                     dev stable
gfx2-all    py311_nightly  out  Too new (ROCm/TheRock#2723), matrix/pytorch.yml:12
gfx2-all    py312_torch29  in   without tests (bypass)                                     dev stable
gfx2-all    py312_nightly  in   without tests (bypass)                                     dev
gfx3        py311_torch29  out  known failure (ROCm/TheRock#1926), matrix/families.yml:15
gfx3        py311_nightly  out  known failure (ROCm/TheRock#1926), matrix/families.yml:15
gfx3        py312_torch29  out  known failure (ROCm/TheRock#1926), matrix/families.yml:15
gfx3        py312_nightly  out  known failure (ROCm/TheRock#1926), matrix/families.yml:15

release, windows
family    combo               promotes, or why it is out                  release types
gfx1      py312_torch29  out  no row for windows, matrix/families.yml:3
gfx1      py312_nightly  out  no row for windows, matrix/families.yml:3
gfx2-all  py312_torch29  in   never: no runner, no bypass !               dev stable
gfx2-all  py312_nightly  in   never: no runner, no bypass !               dev
gfx3      py312_torch29  out  no row for windows, matrix/families.yml:10
gfx3      py312_nightly  out  no row for windows, matrix/families.yml:10
no row for windows: gfx1 gfx3

known failure  platform  issue                                        row
gfx3           linux     https://github.com/ROCm/TheRock/issues/1926  matrix/families.yml:15

excluded  platform  python  torch    combos  why
gfx2-all  linux     3.11    nightly  1       Too new (ROCm/TheRock#2723), matrix/pytorch.yml:12

changed     platform  python  torch    combos  to            why
gfx1-alpha  linux     3.12    nightly  1       tests: false  Hangs there (ROCm/TheRock#999), matrix/pytorch.yml:14

release type  does not take  why
stable        torch nightly  Branches alone, matrix/release.yml:15

dead end    platform  combos  what would mend it                                           row
gfx1-alpha  linux     1       give gfx1 bypass_tests_for_releases, or drop `tests: false`  matrix/families.yml:5
gfx2-all    windows   2       give gfx2 a test_runs_on or bypass_tests_for_releases        matrix/families.yml:9

9 combos; 9 out
)");
}

TEST_CASE("the plan of some workflows, with the limits of each", "[plan]") {
  Planned m;
  PlanOptions options;
  options.workflow = "release_*";
  options.all_files = true;
  CHECK(m.Report(options) == R"(release, linux
family      python     torch    runner  promotes
gfx1-alpha  3.11 3.12  2.9      gpu-1   when tests pass
            3.11       nightly  gpu-1   when tests pass
            3.12       nightly  -       never: not tested, no bypass  !

changed     platform  python  torch    combos  to            why
gfx1-alpha  linux     3.12    nightly  1       tests: false  Hangs there (ROCm/TheRock#999), matrix/pytorch.yml:14

release type  does not take  why
stable        torch nightly  Branches alone, matrix/release.yml:15

dead end    platform  combos  what would mend it                                           row
gfx1-alpha  linux     1       give gfx1 bypass_tests_for_releases, or drop `tests: false`  matrix/families.yml:5

limit               used   of            fullest file
file size           61 KB  500 KB  12%   release_linux_gfx1-alpha.yml
longest expression  88     21,000  0%    release_linux_gfx1-alpha.yml
jobs in a run       1,200  1,000   120%  release_linux_gfx1-alpha.yml  !
needs edges         1,420  4,000   35%   release_linux_gfx1-alpha.yml
workflows called    2      50      4%    release_linux_gfx1-alpha.yml
levels of calls     2      10      20%   release_linux_gfx1-alpha.yml
dispatch inputs     0      25      0%    release_linux_gfx1-alpha.yml

file                          jobs   size   longest expression  needs edges  workflows called  levels  dispatch inputs
release_linux_gfx1-alpha.yml  1,100  61 KB  88                  1,400        2                 2       0

4 combos, 1,100 jobs in 1 file; largest file 61 KB of 500 KB; needs edges 1,420 of 4,000
)");
}

TEST_CASE("a filter that takes no workflow leaves nothing", "[plan]") {
  Planned m;
  PlanOptions options;
  options.workflow = "relaese_*";
  const PlanReport report = MakeReport(*m.matrix, m.combos, m.files, options);
  CHECK(report.files.empty());
  CHECK(report.parts.empty());
  CHECK(report.cells == 0);
}

TEST_CASE("the plan as Markdown", "[plan]") {
  Planned m;
  PlanOptions options;
  options.format = PlanFormat::kMarkdown;
  CHECK(m.Report(options) == R"(### release, linux

| family | python | torch | runner | promotes |  |
| --- | --- | --- | --- | --- | --- |
| gfx1-alpha | 3.11 3.12 | 2.9 | gpu-1 | when tests pass |  |
| gfx1-alpha | 3.11 | nightly | gpu-1 | when tests pass |  |
| gfx1-alpha | 3.12 | nightly | - | never: not tested, no bypass | ! |
| gfx2-all | 3.11 3.12 | 2.9 | - | without tests (bypass) |  |
| gfx2-all | 3.12 | nightly | - | without tests (bypass) |  |
| gfx3 | - | - | - | known failure ROCm/TheRock#1926 |  |

### release, windows

| family | python | torch | runner | promotes |  |
| --- | --- | --- | --- | --- | --- |
| gfx2-all | 3.12 | 2.9 nightly | - | never: no runner, no bypass | ! |

no row for windows: gfx1 gfx3

| known failure | platform | issue | row |
| --- | --- | --- | --- |
| gfx3 | linux | https://github.com/ROCm/TheRock/issues/1926 | matrix/families.yml:15 |

| excluded | platform | python | torch | combos | why |
| --- | --- | --- | --- | --- | --- |
| gfx2-all | linux | 3.11 | nightly | 1 | Too new (ROCm/TheRock#2723), matrix/pytorch.yml:12 |

| changed | platform | python | torch | combos | to | why |
| --- | --- | --- | --- | --- | --- | --- |
| gfx1-alpha | linux | 3.12 | nightly | 1 | tests: false | Hangs there (ROCm/TheRock#999), matrix/pytorch.yml:14 |

| release type | does not take | why |
| --- | --- | --- |
| stable | torch nightly | Branches alone, matrix/release.yml:15 |

| dead end | platform | combos | what would mend it | row |
| --- | --- | --- | --- | --- |
| gfx1-alpha | linux | 1 | give gfx1 bypass_tests_for_releases, or drop \`tests: false\` | matrix/families.yml:5 |
| gfx2-all | windows | 2 | give gfx2 a test_runs_on or bypass_tests_for_releases | matrix/families.yml:9 |

| limit | used | of |  | fullest file |  |
| --- | --- | --- | --- | --- | --- |
| file size | 61 KB | 500 KB | 12% | release_linux_gfx1-alpha.yml |  |
| longest expression | 321 | 21,000 | 1% | ci.yml |  |
| jobs in a run | 1,200 | 1,000 | 120% | release_linux_gfx1-alpha.yml | ! |
| needs edges | 1,420 | 4,000 | 35% | release_linux_gfx1-alpha.yml |  |
| workflows called | 45 | 50 | 90% | ci.yml | ! |
| levels of calls | 3 | 10 | 30% | ci.yml |  |
| dispatch inputs | 2 | 25 | 8% | ci.yml |  |

9 combos, 1,112 jobs in 2 files; largest file 61 KB of 500 KB; needs edges 1,420 of 4,000
)");
}

TEST_CASE("the plan as JSON", "[plan]") {
  Planned m;
  PlanOptions options;
  options.format = PlanFormat::kJson;
  options.workflow = "release_linux_gfx1-alpha";
  options.each_cell = true;
  const std::string json = m.Report(options);
  CHECK(json == R"~({
  "sets": [
    {
      "set": "release",
      "platform": "linux",
      "rows": [
        {"family": "gfx1-alpha", "python": "3.11 3.12", "torch": "2.9", "runner": "gpu-1", "promotes": "when tests pass", "out": false, "dead_end": false, "where": "matrix/families.yml:3"},
        {"family": "gfx1-alpha", "python": "3.11", "torch": "nightly", "runner": "gpu-1", "promotes": "when tests pass", "out": false, "dead_end": false, "where": "matrix/families.yml:3"},
        {"family": "gfx1-alpha", "python": "3.12", "torch": "nightly", "runner": "-", "promotes": "never: not tested, no bypass", "out": false, "dead_end": true, "where": "matrix/families.yml:3"}
      ],
      "cells": [
        {"family": "gfx1-alpha", "id": "py311_torch29", "python": "3.11", "torch": "release/2.9", "in": true, "promotes": "when tests pass", "release types": ["dev", "stable"]},
        {"family": "gfx1-alpha", "id": "py311_nightly", "python": "3.11", "torch": "nightly", "in": true, "promotes": "when tests pass", "release types": ["dev"]},
        {"family": "gfx1-alpha", "id": "py312_torch29", "python": "3.12", "torch": "release/2.9", "in": true, "promotes": "when tests pass", "release types": ["dev", "stable"]},
        {"family": "gfx1-alpha", "id": "py312_nightly", "python": "3.12", "torch": "nightly", "in": true, "promotes": "never: not tested, no bypass", "release types": ["dev"]}
      ],
      "known_failures": [],
      "excluded": [],
      "changed": [
        {"family": "gfx1-alpha", "python": "3.12", "torch": "nightly", "cells": 1, "to": "tests: false", "why": "Hangs there", "issue": "https://github.com/ROCm/TheRock/issues/999", "where": "matrix/pytorch.yml:14"}
      ],
      "dead_ends": [
        {"family": "gfx1-alpha", "cells": 1, "promotes": "never: not tested, no bypass", "mend": "give gfx1 bypass_tests_for_releases, or drop `tests: false`", "where": "matrix/families.yml:5"}
      ],
      "absent": []
    }
  ],
  "taker_excludes": [
    {"release type": "stable", "what": "torch nightly", "why": "Branches alone", "where": "matrix/release.yml:15"}
  ],
  "acknowledged": [],
  "limits": [
    {"limit": "workflow_bytes", "used": 62464, "of": 512000, "file": "release_linux_gfx1-alpha.yml", "full": false},
    {"limit": "expression_bytes", "used": 88, "of": 21000, "file": "release_linux_gfx1-alpha.yml", "full": false},
    {"limit": "needs_jobs", "used": 1200, "of": 1000, "file": "release_linux_gfx1-alpha.yml", "full": true},
    {"limit": "needs_edges", "used": 1420, "of": 4000, "file": "release_linux_gfx1-alpha.yml", "full": false},
    {"limit": "reusable_files", "used": 2, "of": 50, "file": "release_linux_gfx1-alpha.yml", "full": false},
    {"limit": "reusable_levels", "used": 2, "of": 10, "file": "release_linux_gfx1-alpha.yml", "full": false},
    {"limit": "dispatch_inputs", "used": 0, "of": 25, "file": "release_linux_gfx1-alpha.yml", "full": false}
  ],
  "files": [
    {"file": "release_linux_gfx1-alpha.yml", "jobs": 1100, "bytes": 62464, "expression_bytes": 88, "needs_edges": 1400, "reusable_files": 2, "reusable_levels": 2, "dispatch_inputs": 0}
  ],
  "cells": 4,
  "out": 0,
  "jobs": 1100
}
)~");
  CHECK_NOTHROW(ParseJson(json));
}

TEST_CASE("color marks what needs a look, and only when asked for", "[plan]") {
  Planned m;
  PlanOptions options;
  CHECK(m.Report(options).find('\x1b') == std::string::npos);
  options.color = true;
  CHECK(m.Report(options).find("\x1b[33mgfx2-all") != std::string::npos);
  options.format = PlanFormat::kMarkdown;
  CHECK(m.Report(options).find('\x1b') == std::string::npos);
}

TEST_CASE("a set that no release type publishes has no dead ends", "[plan]") {
  Planned m;
  m.Rules("    release_types: []\n");
  m.Replace("release", "    exclude:\n      - { torch: nightly, why: Branches alone }\n", "");
  m.Compute();
  m.files.clear();
  const PlanReport report = MakeReport(*m.matrix, m.combos, m.files, {});
  REQUIRE(report.parts.size() == 2);
  CHECK(report.parts[1].dead_ends.empty());
  CHECK(report.parts[1].rows[0].says == "not released");
  CHECK(m.combos.sets[0].branches[0].cells[0].takers == 0);
}

TEST_CASE("a dead end names the member of a group and its parked runner", "[plan]") {
  Planned m;
  m.Rules("", "{ fat: { platforms: [linux], families: [gfx1, gfx2], why: One build } }");
  m.Replace(
      "families", "bypass_tests_for_releases: true }",
      "parked_runner: { runs_on: gpu-2, issue: https://github.com/ROCm/TheRock/issues/3199 } }");
  m.Compute();
  m.files.clear();
  const PlanReport report = MakeReport(*m.matrix, m.combos, m.files, {});
  CHECK(report.parts[0].rows[0].name == "fat");
  CHECK(report.parts[0].rows[0].columns == std::vector<std::string>{"gpu-1"});
  CHECK(report.parts[0].rows[0].says == "never: gfx2-all: no runner, no bypass");
  CHECK(report.parts[0].dead_ends[0].mend ==
        "give gfx2 a test_runs_on or bypass_tests_for_releases; gpu-2 is parked, "
        "https://github.com/ROCm/TheRock/issues/3199");
  CHECK(report.parts[0].rows[1].says == "built in the group 'fat'");
}

TEST_CASE("Python versions in a row are a range", "[plan]") {
  using Versions = std::vector<std::string_view>;
  CHECK(CompressVersions(Versions{"3.10", "3.11", "3.12", "3.13"}) == "3.10-3.13");
  CHECK(CompressVersions(Versions{"3.10", "3.11"}) == "3.10 3.11");
  CHECK(CompressVersions(Versions{"3.9", "3.11", "3.12", "3.13", "3.13t", "3.14t"}) ==
        "3.9 3.11-3.13 3.13t 3.14t");
  CHECK(CompressVersions(Versions{"4.1", "3.2", "3.3", "pypy3.11"}) == "4.1 3.2 3.3 pypy3.11");
  CHECK(CompressVersions(Versions{}) == "");
}

TEST_CASE("links of issues are shortened", "[plan]") {
  CHECK(ShortIssue("https://github.com/ROCm/TheRock/issues/1926") == "ROCm/TheRock#1926");
  CHECK(ShortIssue("https://github.com/ROCm/TheRock/pull/7") == "ROCm/TheRock#7");
  CHECK(ShortIssue("https://github.com/ROCm/TheRock") == "https://github.com/ROCm/TheRock");
  CHECK(ShortIssue("https://example.com/x/y/issues/1") == "https://example.com/x/y/issues/1");
}

// ---- plan.json ----------------------------------------------------------------------------------

TEST_CASE("plan.json holds each combo once, and why the others are out", "[plan]") {
  Planned m;
  const std::string plan = PlanText(*m.matrix, m.combos, m.arena);
  CHECK(plan.substr(plan.find("  \"combos\": {\n")) == R"(  "combos": {
    "release": {
      "rows": {
        "py311_torch29": {"python": "3.11", "torch": "release/2.9", "release_types": ["dev", "stable"], "tests": true},
        "py311_nightly": {"python": "3.11", "torch": "nightly", "release_types": ["dev"], "tests": true},
        "py312_torch29": {"python": "3.12", "torch": "release/2.9", "release_types": ["dev", "stable"], "tests": true},
        "py312_nightly": {"python": "3.12", "torch": "nightly", "release_types": ["dev"], "tests": false}
      },
      "builds": [
        {"platform": "linux", "gfx": "gfx1-alpha", "key": "gfx1", "families": ["gfx1"], "tier": "presubmit", "runners": {"gfx1": "gpu-1"}, "promotes": "tests", "combos": ["py311_torch29", "py311_nightly", "py312_torch29", "py312_nightly"]},
        {"platform": "linux", "gfx": "gfx2-all", "key": "gfx2", "families": ["gfx2"], "tier": "nightly", "runners": {}, "promotes": "bypass", "combos": ["py311_torch29", "py312_torch29", "py312_nightly"], "differing": {"py312_nightly": {"python": "3.12", "torch": "nightly", "release_types": ["dev"], "tests": true}}},
        {"platform": "windows", "gfx": "gfx2-all", "key": "gfx2", "families": ["gfx2"], "tier": "nightly", "runners": {}, "promotes": "never", "combos": ["py312_torch29", "py312_nightly"], "differing": {"py312_nightly": {"python": "3.12", "torch": "nightly", "release_types": ["dev"], "tests": true}}}
      ],
      "out": [
        {"platform": "linux", "gfx": "gfx2-all", "key": "gfx2", "combos": ["py311_nightly"], "kind": "excluded", "why": "Too new", "issue": "https://github.com/ROCm/TheRock/issues/2723"},
        {"platform": "linux", "gfx": "gfx3", "key": "gfx3", "combos": "all", "kind": "known_failure", "why": "known failure", "issue": "https://github.com/ROCm/TheRock/issues/1926"},
        {"platform": "windows", "gfx": "gfx1", "key": "gfx1", "combos": "all", "kind": "no_row", "why": "no row for windows", "issue": ""},
        {"platform": "windows", "gfx": "gfx3", "key": "gfx3", "combos": "all", "kind": "no_row", "why": "no row for windows", "issue": ""}
      ]
    }
  }
}
)");
}

TEST_CASE("plan.json holds the tables, a row on a line", "[plan]") {
  Planned m;
  const std::string plan = PlanText(*m.matrix, m.combos, m.arena);
  CHECK(PlanText(*m.matrix, m.combos, m.arena) == plan);
  CHECK(plan.find(
            "\n    \"nightly\": {\"id\": \"torch_nightly\", \"version\": null, \"stable\": false, "
            "\"source\": \"rocm\"}\n") != std::string::npos);
  const auto json = ParseJson(plan);
  CHECK(json["format"] == 2);
  CHECK(json["families"]["gfx1"]["linux"]["test_runs_on"] == "gpu-1");
  CHECK(json["families"]["gfx1"]["windows"] == nullptr);
  CHECK(json["families"]["gfx2"]["linux"]["bypass_tests_for_releases"] == true);
  CHECK(json["release_types"]["stable"]["exclude"][0]["torch"] == "nightly");
  CHECK(json["promotion"][3]["when"]["runner"] == false);
  CHECK(json["limits"]["workflow_bytes"] == 512000);
  CHECK(json["torch_sources"]["rocm"]["torch"]["commit_from"] == "torch_ref");
  CHECK(json["torch_features"].empty());
  CHECK(json["test_skips"].empty());
  CHECK(json["hip_known_failures"].empty());
}

TEST_CASE("plan.json of a whole matrix agrees with its tables", "[plan]") {
  RepositoryMatrix own("tests/matrix");
  REQUIRE(own.matrix);
  const Cells combos = CellsOf(*own.matrix, own.sources, own.arena, own.diagnostics);
  const std::string text = PlanText(*own.matrix, combos, own.arena);
  CHECK(text.size() < 72 * 1024);
  const auto plan = ParseJson(text);
  std::map<std::string, std::size_t> counts, builds;
  for (const auto& build : plan["combos"]["release"]["builds"]) {
    counts[build["platform"]] += build["combos"].size();
    ++builds[build["platform"]];
    for (const auto& id : build["combos"]) {
      CHECK(plan["combos"]["release"]["rows"].contains(id.get<std::string>()));
    }
  }
  // Eleven families on Linux, one of them a known failure; nine on Windows, one too.
  CHECK(builds["linux"] == 10);
  CHECK(builds["windows"] == 8);
  // gfx1153 is built from PyTorch 2.10 on.
  CHECK(counts["linux"] == 10 * 4 * 5 - 4 * 3);
  CHECK(counts["windows"] == 8 * 4 * 3 - 4 * 1);
  const auto& rows = plan["combos"]["release"]["rows"];
  CHECK(rows["py312_nightly"]["release_types"] == nlohmann::json({"dev", "nightly"}));
  CHECK(rows["py312_torch210"]["release_types"] ==
        nlohmann::json({"dev", "nightly", "prerelease"}));
  CHECK(plan["combos"]["ci"]["rows"].size() == 1);
  CHECK(plan["combos"]["ci"]["rows"]["py312_torch210"]["release_types"].empty());
}

}  // namespace
}  // namespace wheelwright
