#include <catch2/catch.hpp>

#include "base/file_system.h"
#include "tests/unit/combo_matrix.h"
#include "tests/unit/repository_matrix.h"

namespace wheelwright {
namespace {

std::string Lines(std::initializer_list<std::string_view> lines) {
  std::string text;
  for (const std::string_view line : lines) text.append(line).append("\n");
  return text;
}

// Linux alone, with the axes gfx1 and gfx2 x the given Pythons x the given refs.
std::string Axes(const std::string& python, const std::string& torch) {
  return "torch:\n"
         "  release/2.9: { id: torch_29, source: rocm }\n"
         "  nightly: { id: torch_nightly, source: rocm }\n"
         "projects: { torch: { folder: pytorch } }\n"
         "torch_sources: { rocm: { torch: { repository: https://github.com/ROCm/pytorch.git,"
         " commit_from: torch_ref } } }\n"
         "combos:\n"
         "  release:\n"
         "    platforms: { linux: { python: " +
         python + ", torch: " + torch + " } }\n";
}

// The examples of GitHub's page on matrices, with its axes renamed to ours.
TEST_CASE("includes do what GitHub's first example says", "[combos]") {
  // fruit: [apple, pear] is python, animal: [cat, dog] is torch. An include that makes a combo must
  // name all four axes here.
  ComboMatrix m;
  m.Replace("families", "  gfx2:", "  gfx9:");  // no second build on Linux
  m.Replace("families", "linux: { family: gfx2-all", "windows: { family: gfx2-all");
  m.Replace("families", "    windows: { family: gfx2-all, targets: [gfx2a, gfx2b] }\n", "");
  m.Set("pytorch",
        Axes("[\"3.11\", \"3.12\"]", "[release/2.9, nightly]") +
            "    include:\n"
            "      - color: green\n"
            "      - { color: pink, torch: release/2.9 }\n"
            "      - { python: \"3.11\", shape: circle }\n"
            "      - { platform: linux, gfx: gfx1, torch: nightly, python: \"3.13\" }\n"
            "      - { platform: linux, gfx: gfx1, torch: release/2.9, python: \"3.13\" }\n");
  CHECK(m.List() == Lines({"linux gfx1-alpha py311_torch29 color=pink shape=circle",
                           "linux gfx1-alpha py311_nightly color=green shape=circle",
                           "linux gfx1-alpha py312_torch29 color=pink",
                           "linux gfx1-alpha py312_nightly color=green",
                           "linux gfx1-alpha py313_nightly", "linux gfx1-alpha py313_torch29"}));
}

TEST_CASE("an include that fits a combo adds its columns to it", "[combos]") {
  ComboMatrix m;
  m.Rules(
      "    include:\n      - { platform: windows, python: \"3.12\", torch: nightly, npm: 6 }\n");
  CHECK(m.List() ==
        Lines({"linux gfx1-alpha py311_torch29", "linux gfx1-alpha py311_nightly",
               "linux gfx1-alpha py312_torch29", "linux gfx1-alpha py312_nightly",
               "linux gfx2-all py311_torch29", "linux gfx2-all py311_nightly",
               "linux gfx2-all py312_torch29", "linux gfx2-all py312_nightly",
               "windows gfx2-all py312_torch29", "windows gfx2-all py312_nightly npm=6"}));
  CHECK(Summarize(m.diagnostics) == "0 errors");
}

TEST_CASE("an include that fits no combo is a new one, which no later include changes",
          "[combos]") {
  ComboMatrix m;
  m.Rules(
      "    include:\n"
      "      - { platform: windows, gfx: gfx2, python: \"3.13t\", torch: nightly }\n"
      "      - { platform: windows, python: [\"3.12\"], speed: slow }\n"
      "      - { platform: windows, torch: nightly, speed: fast }\n");
  const std::string list = m.List();
  CHECK(list.substr(list.find("windows")) ==
        Lines({"windows gfx2-all py312_torch29 speed=slow",
               "windows gfx2-all py312_nightly speed=fast", "windows gfx2-all py313t_nightly"}));
}

TEST_CASE("excludes take out by a partial match, as in GitHub's example", "[combos]") {
  ComboMatrix m;
  m.Set("pytorch", Axes("[\"3.10\", \"3.11\", \"3.12\"]", "[release/2.9, nightly]") +
                       "    exclude:\n"
                       "      - { gfx: gfx1, python: \"3.10\", torch: nightly, why: a }\n"
                       "      - { gfx: gfx2, python: \"3.12\", why: b }\n");
  CHECK(m.List() == Lines({"linux gfx1-alpha py310_torch29", "linux gfx1-alpha py311_torch29",
                           "linux gfx1-alpha py311_nightly", "linux gfx1-alpha py312_torch29",
                           "linux gfx1-alpha py312_nightly", "linux gfx2-all py310_torch29",
                           "linux gfx2-all py310_nightly", "linux gfx2-all py311_torch29",
                           "linux gfx2-all py311_nightly"}));
  CHECK(m.ListOut() ==
        Lines({"linux gfx1-alpha py310_nightly: a", "linux gfx2-all py312_torch29: b",
               "linux gfx2-all py312_nightly: b", "linux gfx3 py310_torch29: known failure",
               "linux gfx3 py310_nightly: known failure", "linux gfx3 py311_torch29: known failure",
               "linux gfx3 py311_nightly: known failure", "linux gfx3 py312_torch29: known failure",
               "linux gfx3 py312_nightly: known failure"}));
}

TEST_CASE("an include brings an excluded combo back, since excludes come first", "[combos]") {
  ComboMatrix m;
  m.Rules(
      "    exclude:\n"
      "      - { gfx: gfx1-alpha, torch: nightly, why: a }\n"
      "    include:\n"
      "      - { platform: linux, gfx: gfx1, python: \"3.12\", torch: nightly, tests: false }\n");
  const std::string list = m.List();
  CHECK(list.substr(0, list.find("linux gfx2")) ==
        Lines({"linux gfx1-alpha py311_torch29", "linux gfx1-alpha py312_torch29",
               "linux gfx1-alpha py312_nightly tests=false"}));
}

TEST_CASE("a list means any of its items", "[combos]") {
  ComboMatrix m;
  m.Rules(
      "    exclude:\n      - { gfx: [gfx1, gfx2-all], python: [\"3.11\", \"3.12\"],"
      " torch: [nightly], why: a }\n"
      "    include:\n      - { gfx: [gfx1, gfx2], python: \"3.11\", note: x }\n");
  m.Replace("release", "{ torch: nightly,", "{ torch: release/2.9, python: \"3.11\",");
  m.Replace("pytorch", "torch: [release/2.9, nightly] }\n    exclude",
            "torch: [release/2.9] }\n    exclude");
  m.Replace("pytorch", "python: [\"3.11\", \"3.12\"], torch: [release/2.9, nightly] }",
            "python: [\"3.11\", \"3.12\", \"3.13\"], torch: [release/2.9, nightly] }");
  CHECK(m.List() == Lines({"linux gfx1-alpha py311_torch29 note=x",
                           "linux gfx1-alpha py312_torch29", "linux gfx1-alpha py313_torch29",
                           "linux gfx1-alpha py313_nightly", "linux gfx2-all py311_torch29 note=x",
                           "linux gfx2-all py312_torch29", "linux gfx2-all py313_torch29",
                           "linux gfx2-all py313_nightly", "windows gfx2-all py312_torch29"}));
}

TEST_CASE("the product holds what cannot be built too, each with its reason and place",
          "[combos]") {
  ComboMatrix m;
  m.Compute();
  const CellSet& set = *m.combos.Find("combos", "release");
  CHECK(set.in == 10);
  CHECK(set.out == 4 + 2 + 2);  // gfx3 on Linux, gfx1 and gfx3 on Windows
  const CellBranch& broken = set.branches[2];
  CHECK(broken.out->kind == OutKind::kItself);
  CHECK(broken.out->issue == "https://github.com/ROCm/TheRock/issues/1926");
  CHECK(m.sources.Describe(broken.out->where.begin) == "matrix/families.yml:15:34");
  const CellBranch& absent = set.branches[3];
  CHECK(absent.out->kind == OutKind::kAbsent);
  CHECK(absent.out->text == "no row for windows");
  const Cell& combo = set.branches[0].cells[3];
  CHECK(m.sources.Describe(set.Value(combo, 2).cell->where.begin) == "matrix/pytorch.yml:9:33");
  CHECK(m.sources.Describe(set.Value(combo, 3).cell->where.begin) == "matrix/pytorch.yml:9:63");
}

TEST_CASE("a release type takes what its excludes leave", "[combos]") {
  ComboMatrix m;
  m.Compute();
  const CellSet& set = m.combos.sets[0];
  CHECK(set.takers == std::vector<std::string_view>{"dev", "stable"});
  const std::vector<Cell>& cells = set.branches[0].cells;
  CHECK(cells[0].id == "py311_torch29");
  CHECK(cells[0].takers == 3);
  CHECK(cells[1].id == "py311_nightly");
  CHECK(cells[1].takers == 1);
}

TEST_CASE("how a build is promoted follows from the policy's rows", "[combos]") {
  const auto promotes = [](const CellSet& set, std::size_t branch) {
    return FindText(set.Value(set.branches[branch], 1).node, "promotes");
  };
  ComboMatrix m;
  m.Rules("    include:\n      - { gfx: gfx1, torch: nightly, tests: false }\n");
  const CellSet& set = m.Compute().sets[0];
  CHECK(promotes(set, 0) == "tests");
  CHECK(promotes(set, 1) == "bypass");
  CHECK(promotes(set, 4) == "never");  // on Windows
  // Built and not tested, and nothing lets it pass untested.
  const std::vector<Cell>& cells = set.branches[0].cells;
  CHECK(FindText(cells[0].node, "promotes") == "tests");
  CHECK_FALSE(Find(cells[1].node, "tests")->is_true());
  CHECK(FindText(cells[1].node, "promotes") == "never");

  ComboMatrix lenient;
  lenient.Replace("release", "  - { when: { runner: false, bypass: false }, verdict: hold",
                  "  - { when: { runner: false, bypass: false }, verdict: promote");
  CHECK(promotes(lenient.Compute().sets[0], 4) == "bypass");
  ComboMatrix ungated;
  ungated.Replace(
      "release",
      "  - { when: { runner: true, tests: [failure, cancelled, skipped] }, verdict: hold",
      "  - { when: { runner: true, tests: [failure, cancelled, skipped] }, verdict: promote");
  CHECK(promotes(ungated.Compute().sets[0], 0) == "bypass");
}

TEST_CASE("a group of families is one build in place of its members", "[combos]") {
  ComboMatrix m;
  m.Rules("", "{ fat: { platforms: [linux], families: [gfx2, gfx1], why: One build } }");
  CHECK(m.List() == Lines({"linux fat py311_torch29", "linux fat py311_nightly",
                           "linux fat py312_torch29", "linux fat py312_nightly",
                           "windows gfx2-all py312_torch29", "windows gfx2-all py312_nightly"}));
  CHECK(Summarize(m.diagnostics) == "0 errors");
  const CellSet& set = m.combos.sets[0];
  const AxisValue& fat = set.Value(set.branches[0], 1);
  CHECK(FindText(fat.node, "tier") == "presubmit");  // as soon as one member needs it
  REQUIRE(fat.members.size() == 2);
  CHECK(fat.members[0].key == "gfx2");
  CHECK(FindText(fat.node, "promotes") == "bypass");  // gfx1 is tested, gfx2 may go untested
  CHECK(set.branches[1].out->kind == OutKind::kGrouped);
  CHECK(set.branches[1].out->text == "built in the group 'fat'");

  m.Rules("    exclude:\n      - { gfx: fat, torch: nightly, python: \"3.11\", why: a }\n",
          "{ fat: { platforms: [linux], families: [gfx2, gfx1], why: One build } }");
  CHECK(m.Compute().sets[0].branches[0].in == 3);
}

// ---- what is wrong, as it is said --------------------------------------------------------------

std::string ProblemsOf(const std::string& rules, const std::string& groups = "{}") {
  ComboMatrix m;
  m.Rules(rules, groups);
  return m.Problems();
}

TEST_CASE("an exclude with a value that no axis has", "[combos]") {
  CHECK(
      ProblemsOf("    exclude:\n      - { platform: windows, python: \"3.11\", why: a }\n") ==
      R"(error[unused-exclude]: no combo of set 'release' has python '3.11', so this exclude takes out none
   --> matrix/pytorch.yml:12:38
    |
 12 |       - { platform: windows, python: "3.11", why: a }
    |                                      ^^^^^^ did you mean '3.12'?
)");
  CHECK(
      ProblemsOf("    exclude:\n      - { gfx: gfx3, why: a }\n") ==
      R"(error[unused-exclude]: no combo of set 'release' has gfx 'gfx3', so this exclude takes out none
   --> matrix/pytorch.yml:12:16
    |
 12 |       - { gfx: gfx3, why: a }
    |                ^^^^
   ::: matrix/families.yml:15:34
    |
 15 |       known_failures: { pytorch: https://github.com/ROCm/TheRock/issues/1926 }
    |                                  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ out on linux: known failure
)");
}

TEST_CASE("an exclude after another that has done its work", "[combos]") {
  CHECK(ProblemsOf("    exclude:\n"
                   "      - { gfx: gfx1, torch: nightly, why: a }\n"
                   "      - { gfx: gfx1, torch: nightly, python: \"3.12\", why: b }\n") ==
        R"(error[unused-exclude]: this exclude takes out no combo of set 'release'
   --> matrix/pytorch.yml:13:11
    |
 13 |       - { gfx: gfx1, torch: nightly, python: "3.12", why: b }
    |           ^^^
   ::: matrix/pytorch.yml:12:11
    |
 12 |       - { gfx: gfx1, torch: nightly, why: a }
    |           ^^^ this takes out what it fits
)");
}

TEST_CASE("an exclude whose values never come together", "[combos]") {
  CHECK(
      ProblemsOf("    exclude:\n      - { platform: [linux, windows], gfx: gfx1, python: \"3.12\","
                 " torch: nightly, why: a }\n") == "");
  ComboMatrix m;
  m.Replace("release", "- { torch: nightly, why",
            "- { gfx: gfx2, platform: [windows, linux], python: \"3.12\", torch: nightly, why");
  CHECK(m.Problems() == "");
  m.diagnostics = {};
  m.Replace("release", "gfx: gfx2, platform: [windows, linux]", "gfx: gfx3, platform: windows");
  CHECK(
      m.Problems() ==
      R"(error[unused-exclude]: no combo of release type 'stable' has gfx 'gfx3', so this exclude takes out none
   --> matrix/release.yml:15:16
    |
 15 |       - { gfx: gfx3, platform: windows, python: "3.12", torch: nightly, why: Branches alone }
    |                ^^^^
   ::: matrix/families.yml:10:3
    |
 10 |   gfx3:
    |   ^^^^ out on windows: no row for windows
)");
}

TEST_CASE("an include that adds nothing", "[combos]") {
  CHECK(ProblemsOf("    include:\n      - { gfx: gfx1, torch: nightly }\n") ==
        R"(error[unused-include]: this include adds nothing to set 'release'
   --> matrix/pytorch.yml:12:11
    |
 12 |       - { gfx: gfx1, torch: nightly }
    |           ^^^
    = the combos that it fits are there without it, and it has no further column
)");
}

TEST_CASE("an include that fits nothing and is no combo either", "[combos]") {
  CHECK(
      ProblemsOf(
          "    include:\n      - { platform: linux, python: [\"3.12\", \"3.14\"], note: x }\n") ==
      R"(error[unused-include]: no combo of set 'release' has platform 'linux' and python '3.14', and a new one also needs 'gfx' and 'torch'
   --> matrix/pytorch.yml:12:45
    |
 12 |       - { platform: linux, python: ["3.12", "3.14"], note: x }
    |                                             ^^^^^^
)");
}

TEST_CASE("an include of a family that is known to fail", "[combos]") {
  CHECK(ProblemsOf("    include:\n      - { platform: linux, gfx: gfx3, python: \"3.12\", torch: "
                   "nightly }\n") ==
        R"(error[known-failure-selected]: 'gfx3' is not built on linux
   --> matrix/pytorch.yml:12:33
    |
 12 |       - { platform: linux, gfx: gfx3, python: "3.12", torch: nightly }
    |                                 ^^^^
   ::: matrix/families.yml:15:34
    |
 15 |       known_failures: { pytorch: https://github.com/ROCm/TheRock/issues/1926 }
    |                                  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ known failure
)");
}

TEST_CASE("two includes that make one combo", "[combos]") {
  CHECK(ProblemsOf("    include:\n"
                   "      - { platform: linux, gfx: gfx1, python: \"3.13\", torch: nightly }\n"
                   "      - { platform: linux, gfx: gfx1-alpha, python: \"3.13\", torch: nightly, "
                   "note: x }\n") ==
        R"(error[duplicate-combo]: this include makes a combo that another include has made
   --> matrix/pytorch.yml:13:11
    |
 13 |       - { platform: linux, gfx: gfx1-alpha, python: "3.13", torch: nightly, note: x }
    |           ^^^^^^^^
   ::: matrix/pytorch.yml:12:11
    |
 12 |       - { platform: linux, gfx: gfx1, python: "3.13", torch: nightly }
    |           ^^^^^^^^ the first
    = an include adds its columns to combos of the product alone, never to those of other includes
)");
}

TEST_CASE("an include that would hide a column of every combo", "[combos]") {
  CHECK(ProblemsOf("    include:\n      - { torch: nightly, label: Nightly }\n") ==
        R"(error[reserved-column]: an include cannot set 'label', which every combo has already
   --> matrix/pytorch.yml:12:27
    |
 12 |       - { torch: nightly, label: Nightly }
    |                           ^^^^^
)");
}

TEST_CASE("two combos that are called the same", "[combos]") {
  ComboMatrix m;
  m.Replace("pytorch", "id: torch_nightly", "id: torch29");
  CHECK(
      m.Problems() ==
      R"(error[duplicate-combo]: two combos of set 'release' on linux are called 'py311_torch29': python 3.11 with torch release/2.9, and python 3.11 with torch nightly
  --> matrix/pytorch.yml:9:63
   |
 9 |       linux: { python: ["3.11", "3.12"], torch: [release/2.9, nightly] }
   |                                                               ^^^^^^^
  ::: matrix/pytorch.yml:9:50
   |
 9 |       linux: { python: ["3.11", "3.12"], torch: [release/2.9, nightly] }
   |                                                  ^^^^^^^^^^^ the first
   = `sets.combos.id` of matrix/schema.yml says what combos are called
)");
}

TEST_CASE("a ref, a value of an axis and a family that nobody uses", "[combos]") {
  ComboMatrix m;
  m.Rules("    exclude:\n      - { gfx: gfx1, why: a }\n      - { python: \"3.11\", why: b }\n");
  m.Replace("pytorch", "  nightly: {",
            "  release/2.8: { id: torch_28, source: rocm }\n  nightly: {");
  CHECK(
      m.Problems() ==
      R"(error[unused-axis-value]: no combo of set 'release' on linux has python '3.11': all are out
   --> matrix/pytorch.yml:10:25
    |
 10 |       linux: { python: ["3.11", "3.12"], torch: [release/2.9, nightly] }
    |                         ^^^^^^
    = `wheelwright plan --combos` says why each is out

error[unused-row]: no set of combos has one for 'gfx1'
  --> matrix/families.yml:3:3
   |
 3 |   gfx1:
   |   ^^^^
   = if there can be none, its row says so: `known_failures.pytorch`

error[unused-row]: no set of combos lists 'release/2.8'
  --> matrix/pytorch.yml:3:3
   |
 3 |   release/2.8: { id: torch_28, source: rocm }
   |   ^^^^^^^^^^^
   = name it in a set, or drop the row
)");
}

TEST_CASE("groups whose members do not fit", "[combos]") {
  CHECK(
      ProblemsOf("",
                 "\n  a: { platforms: [linux], families: [gfx1, gfx2], why: x }\n"
                 "  b: { platforms: [windows, linux], families: [gfx2, gfx3], why: x }") ==
      R"(error[group-member-missing]: group 'b' builds 'gfx3' on windows, where the family has no row
   --> matrix/pytorch.yml:13:54
    |
 13 |   b: { platforms: [windows, linux], families: [gfx2, gfx3], why: x }
    |                                                      ^^^^

error[duplicate-group-member]: 'gfx2' is in two groups on linux: 'a' and 'b'
   --> matrix/pytorch.yml:13:48
    |
 13 |   b: { platforms: [windows, linux], families: [gfx2, gfx3], why: x }
    |                                                ^^^^
   ::: matrix/pytorch.yml:12:3
    |
 12 |   a: { platforms: [linux], families: [gfx1, gfx2], why: x }
    |   ^ the first

error[group-member-broken]: group 'b' builds 'gfx3' on linux, where it is known to fail
   --> matrix/pytorch.yml:13:54
    |
 13 |   b: { platforms: [windows, linux], families: [gfx2, gfx3], why: x }
    |                                                      ^^^^
   ::: matrix/families.yml:15:34
    |
 15 |       known_failures: { pytorch: https://github.com/ROCm/TheRock/issues/1926 }
    |                                  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ the known failure
    = one member that fails would fail the whole build
)");
}

TEST_CASE("a trigger or a label that asks for a known failure", "[combos]") {
  ComboMatrix m;
  m.Set("triggers",
        "triggers:\n"
        "  pull_request: { tiers: [presubmit], pytorch: [gfx1, gfx2], labels: { \"build:pytorch\": "
        "[gfx3] } }\n"
        "labels: { \"build:*\": { effect: pytorch, doc: Wheels } }\n");
  CHECK(
      m.Problems() ==
      R"(error[family-not-built]: 'pull_request' builds PyTorch for 'gfx2' and not the ROCm below it
  --> matrix/triggers.yml:2:55
   |
 2 |   pull_request: { tiers: [presubmit], pytorch: [gfx1, gfx2], labels: { "build:pytorch": [gfx3] } }
   |                                                       ^^^^
   = 'gfx2' is of the tier 'nightly', which is not among the trigger's tiers

error[known-failure-selected]: 'build:pytorch' builds PyTorch for 'gfx3', which is known to fail wherever it is built
   --> matrix/triggers.yml:2:90
    |
  2 |   pull_request: { tiers: [presubmit], pytorch: [gfx1, gfx2], labels: { "build:pytorch": [gfx3] } }
    |                                                                                          ^^^^
   ::: matrix/families.yml:15:34
    |
 15 |       known_failures: { pytorch: https://github.com/ROCm/TheRock/issues/1926 }
    |                                  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ fails on linux
)");
}

TEST_CASE("more release types than can be told apart", "[combos]") {
  ComboMatrix m;
  std::string types = "release_types:\n", roles;
  for (int i = 0; i < 66; ++i) {
    types += fmt::format(
        "  type{0}: {{ domain: dev, role: \"arn:aws:iam::123456789012:role/{0}\","
        " python_bucket: bucket, tarball_bucket: bucket, artifact_bucket: bucket, region: "
        "us-east-2,"
        " subdir: v{0}, staging_subdir: s{0}, index_url: https://example.com/v{0},"
        " staging_index_url: https://example.com/s{0} }}\n",
        i);
    roles += fmt::format("\"arn:aws:iam::123456789012:role/{}\", ", i);
  }
  m.Set("release", types + "domains: { dev: { doc: x, roles: [" + roles +
                       "], buckets: [bucket], triggers: [workflow_dispatch] } }\n");
  CHECK("\n" + m.Problems() == R"(
error[too-many-takers]: 66 release types are more than the 64 there can be
   --> matrix/release.yml:66:3
    |
 66 |   type64: { domain: dev, role: "arn:aws:iam::123456789012:role/64", python_bucket: bucket, tarball_bucket: bucket, artifact_bucket: bucket, region: us-east-2, subdir: v64, staging_subdir: s64, index_url: https://example.com/v64, staging_index_url: https://example.com/s64 }
    |   ^^^^^^
)");
}

TEST_CASE("axes that multiply to more combos than there can be", "[combos]") {
  ComboMatrix m;
  std::string pythons;
  for (int i = 0; i < 200; ++i) pythons += fmt::format("\"3.{}\", ", i);
  std::string rules = "    include:\n";
  for (int i = 0; i < 640; ++i) {
    rules += fmt::format(
        "      - {{ platform: [linux, windows], gfx: [gfx1, gfx2], python: {}, torch: [nightly, "
        "release/2.9], x{}: y }}\n",
        i == 0 ? "&all [" + pythons + "]" : "*all", i);
  }
  m.Rules(rules);
  const std::string problems = m.Problems();
  CHECK(
      problems.starts_with("error[too-many-combos]: the sets of combos hold more than the 1000000 "
                           "there can be\n    --> matrix/pytorch.yml:637:11\n"));
  CHECK(problems.ends_with(" 2 x 2 x 200 x 2 of them\n"));
}

// ---- a whole matrix -----------------------------------------------------------------------------

TEST_CASE("a whole matrix has the combos that its tables say", "[combos]") {
  RepositoryMatrix own("tests/matrix");
  REQUIRE(own.matrix);
  const Cells combos = CellsOf(*own.matrix, own.sources, own.arena, own.diagnostics);
  CHECK(own.Report() == "");
  const CellSet& release = *combos.Find("combos", "release");
  std::size_t on_linux = 0, on_windows = 0;
  for (const CellBranch& branch : release.branches) {
    (release.Value(branch, 0).key == "linux" ? on_linux : on_windows) += branch.in;
  }
  // Ten families that can build PyTorch x 4 Pythons x 5 refs, less gfx1153 x 4 x the three refs
  // before 2.10.
  CHECK(on_linux == 10 * 20 - 12);
  // Eight x 4 x 3, less gfx1153 x 4 x release/2.9.
  CHECK(on_windows == 8 * 12 - 4);
  CHECK(combos.Find("combos", "ci")->in == 10 + 8);
}

}  // namespace
}  // namespace wheelwright
