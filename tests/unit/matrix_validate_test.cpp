#include <catch2/catch.hpp>

#include "generator/matrix/validate.h"
#include "tests/unit/matrix_files.h"

namespace wheelwright {
namespace {

TEST_CASE("a name that no row defines", "[matrix]") {
  SmallMatrix m;
  m.Set("triggers",
        "triggers:\n"
        "  pull_request: { tiers: [presubmit], pytorch: [], labels: { \"build:pytorch\": [gfx94] } "
        "}\n");
  CHECK("\n" + m.Errors() == R"(
error[unknown-family]: no family is called 'gfx94'
  --> matrix/triggers.yml:2:80
   |
 2 |   pull_request: { tiers: [presubmit], pytorch: [], labels: { "build:pytorch": [gfx94] } }
   |                                                                                ^^^^^ did you mean 'gfx94x'?
   = families are defined in matrix/families.yml
)");
}

TEST_CASE("a name far from all others lists them", "[matrix]") {
  SmallMatrix m;
  m.Replace("families", "tier: nightly", "tier: weekends");
  CHECK("\n" + m.Errors() == R"(
error[unknown-tier]: no tier is called 'weekends'
   --> matrix/families.yml:11:11
    |
 11 |     tier: weekends
    |           ^^^^^^^^
    = tiers are defined in matrix/families.yml
    = known: 'presubmit' and 'nightly'
)");
}

TEST_CASE("a list written as one value, and the other way round", "[matrix]") {
  SmallMatrix m;
  m.Set("triggers", "triggers: { push: { tiers: presubmit, pytorch: gfx94x } }\n");
  m.Replace("families", "tier: nightly", "tier: [nightly]");
  CHECK("\n" + m.Errors() == R"(
error[wrong-type]: 'families.gfx120x.tier' must be the name of a tier, not a list
   --> matrix/families.yml:11:11
    |
 11 |     tier: [nightly]
    |           ^ for one value, write nightly

error[wrong-type]: 'triggers.push.tiers' must be a list, each item the name of a tier, not the string 'presubmit'
  --> matrix/triggers.yml:1:28
   |
 1 | triggers: { push: { tiers: presubmit, pytorch: gfx94x } }
   |                            ^^^^^^^^^ for a list of one, write [presubmit]

error[wrong-type]: 'triggers.push.pytorch' must be one of all, chosen, or a list, each item the name of a family, not the string 'gfx94x'
  --> matrix/triggers.yml:1:48
   |
 1 | triggers: { push: { tiers: presubmit, pytorch: gfx94x } }
   |                                                ^^^^^^ for a list of one, write [gfx94x]
)");
}

TEST_CASE("a group is named where a list may stand too", "[matrix]") {
  SmallMatrix m;
  m.Replace("families", "targets: gfx120X-all", "targets: gfx120X-al");
  m.Replace("families", "targets: [gfx942]", "targets: gfx942");
  CHECK("\n" + m.Errors() == R"(
error[wrong-type]: 'families.gfx94x.linux.targets' must be the name of a target group, or a list, each item a gfx target, not the string 'gfx942'
  --> matrix/families.yml:8:16
   |
 8 |       targets: gfx942
   |                ^^^^^^ for a list of one, write [gfx942]

error[unknown-target-group]: no target group is called 'gfx120X-al'
   --> matrix/families.yml:12:44
    |
 12 |     linux: { family: gfx120X-all, targets: gfx120X-al }
    |                                            ^^^^^^^^^^ did you mean 'gfx120X-all'?
    = target groups are defined in matrix/families.yml
)");
}

TEST_CASE("a word outside of a closed set", "[matrix]") {
  SmallMatrix m;
  m.Set("release", "promotion: [ { when: {}, verdict: promot, why: x } ]\n");
  CHECK("\n" + m.Errors() == R"(
error[unknown-value]: 'promot' is no verdict
  --> matrix/release.yml:1:35
   |
 1 | promotion: [ { when: {}, verdict: promot, why: x } ]
   |                                   ^^^^^^ did you mean 'promote'?
   = allowed: 'promote' and 'hold'
)");
}

TEST_CASE("an unknown column", "[matrix]") {
  SmallMatrix m;
  m.Replace("families", "test_runs_on:", "test_run_on:");
  CHECK("\n" + m.Errors() == R"(
error[unknown-key]: 'families.gfx94x.linux' has no column 'test_run_on'
  --> matrix/families.yml:9:7
   |
 9 |       test_run_on: linux-mi325
   |       ^^^^^^^^^^^ did you mean 'test_runs_on'?
   = `wheelwright help matrix` describes 'families'
)");
}

TEST_CASE("an unknown table, and one of another file", "[matrix]") {
  SmallMatrix m;
  m.Set("triggers", "tiers: {}\nlabelz: {}\n");
  CHECK("\n" + m.Errors() == R"(
error[unknown-key]: matrix/triggers.yml has no table 'tiers'
  --> matrix/triggers.yml:1:1
   |
 1 | tiers: {}
   | ^^^^^
   = that table belongs in matrix/families.yml

error[unknown-key]: matrix/triggers.yml has no table 'labelz'
  --> matrix/triggers.yml:2:1
   |
 2 | labelz: {}
   | ^^^^^^ did you mean 'labels'?
   = known: 'triggers', 'labels', 'paths', 'test_types' and 'tests'
)");
}

TEST_CASE("a column that is needed", "[matrix]") {
  SmallMatrix m;
  m.Replace("families", "      family: gfx94X-dcgpu\n", "");
  CHECK("\n" + m.Errors() == R"(
error[missing-key]: 'families.gfx94x.linux' has no 'family'
  --> matrix/families.yml:6:5
   |
 6 |     linux:
   |     ^^^^^ add family: gfx94X-dcgpu
   = family: The artifact group's name: also the folder in package indexes, and what is passed to CMake
   = `wheelwright help matrix` describes 'families'
)");
}

TEST_CASE("a row without any of the columns of which it needs one", "[matrix]") {
  SmallMatrix m;
  m.Replace("families", "    linux: { family: gfx120X-all, targets: gfx120X-all }\n", "");
  CHECK("\n" + m.Errors() == R"(
error[missing-key]: 'families.gfx120x' needs at least one of 'linux'
   --> matrix/families.yml:10:3
    |
 10 |   gfx120x:
    |   ^^^^^^^
    = `wheelwright help matrix` describes 'families'
)");
}

TEST_CASE("a table that is needed", "[matrix]") {
  SmallMatrix m;
  m.Set("families", "tiers: {}\n");
  CHECK("\n" + m.Errors() == R"(
error[missing-key]: matrix/families.yml has no table 'families'
  --> matrix/families.yml:1:1
   |
 1 | tiers: {}
   | ^
   = `wheelwright help matrix` describes 'families'
)");
}

TEST_CASE("a version without quotes", "[matrix]") {
  SmallMatrix m;
  m.Replace("pytorch", "\"3.12\"", "3.10");
  CHECK("\n" + m.Errors() == R"(
error[wrong-type]: 'combos.ci.platforms.linux.python[0]' must be a Python version, not the number 3.10
  --> matrix/pytorch.yml:8:40
   |
 8 |   ci: { platforms: { linux: { python: [3.10], torch: [release/2.10] } } }
   |                                        ^^^^ with quotes it is text: "3.10"
   = without quotes it is a number, and the numbers 3.10 and 3.1 are the same
)");
}

TEST_CASE("a flag in the words of YAML 1.1", "[matrix]") {
  SmallMatrix m;
  m.Replace("families", "test_runs_on: linux-mi325", "sanity_check_only: yes");
  CHECK("\n" + m.Errors() == R"(
error[wrong-type]: 'families.gfx94x.linux.sanity_check_only' must be true or false, not the string 'yes'
  --> matrix/families.yml:9:26
   |
 9 |       sanity_check_only: yes
   |                          ^^^ write true
)");
}

TEST_CASE("a column without its value", "[matrix]") {
  SmallMatrix m;
  m.Replace("families", "tier: nightly", "tier:");
  CHECK("\n" + m.Errors() == R"(
error[wrong-type]: 'families.gfx120x.tier' must be the name of a tier, not null
   --> matrix/families.yml:11:5
    |
 11 |     tier:
    |     ^^^^ there is no value here
)");
}

TEST_CASE("texts of the wrong shape", "[matrix]") {
  SmallMatrix m;
  m.Set("pins", "actions:\n  checkout: { uses: actions/checkout@v4, sha: abc, version: v4 }\n");
  CHECK("\n" + m.Errors() == R"(
error[bad-value]: 'actions/checkout@v4' is not an action
  --> matrix/pins.yml:2:21
   |
 2 |   checkout: { uses: actions/checkout@v4, sha: abc, version: v4 }
   |                     ^^^^^^^^^^^^^^^^^^^ expected something like actions/checkout
   = an action is owner/name, and perhaps a folder, without a version

error[bad-value]: 'abc' is not a commit
  --> matrix/pins.yml:2:47
   |
 2 |   checkout: { uses: actions/checkout@v4, sha: abc, version: v4 }
   |                                               ^^^ expected something like 3d3c42e5aac5ba805825da76410c181273ba90b1
   = a commit is the whole SHA: 40 hexadecimal digits
)");
}

TEST_CASE("a text that is empty", "[matrix]") {
  SmallMatrix m;
  m.Replace("platforms", "title: Linux", "title: \"\"");
  CHECK("\n" + m.Errors() == R"(
error[bad-value]: 'platforms.linux.title' must be one line of text, and not empty
  --> matrix/platforms.yml:3:12
   |
 3 |     title: ""
   |            ^^
)");
}

TEST_CASE("a number that is too small", "[matrix]") {
  SmallMatrix m;
  m.Set("limits", "limits: { matrix_legs: { value: 0, unit: jobs, source: x } }\n");
  CHECK("\n" + m.Errors() == R"(
error[bad-value]: 'limits.matrix_legs.value' must be a whole number of at least 1
  --> matrix/limits.yml:1:33
   |
 1 | limits: { matrix_legs: { value: 0, unit: jobs, source: x } }
   |                                 ^
)");
}

TEST_CASE("an item that stands twice", "[matrix]") {
  SmallMatrix m;
  m.Replace("families", "[gfx942]", "[gfx942, gfx90a, gfx942]");
  CHECK("\n" + m.Errors() == R"(
error[duplicate-item]: 'gfx942' stands twice in 'families.gfx94x.linux.targets'
  --> matrix/families.yml:8:33
   |
 8 |       targets: [gfx942, gfx90a, gfx942]
   |                                 ^^^^^^
  ::: matrix/families.yml:8:17
   |
 8 |       targets: [gfx942, gfx90a, gfx942]
   |                 ^^^^^^ first here
)");
}

TEST_CASE("a value that must differ from row to row", "[matrix]") {
  SmallMatrix m;
  m.Replace("families", "family: gfx120X-all", "family: gfx94X-dcgpu");
  CHECK("\n" + m.Errors() == R"(
error[duplicate-value]: two rows have the family 'gfx94X-dcgpu'
   --> matrix/families.yml:12:22
    |
 12 |     linux: { family: gfx94X-dcgpu, targets: gfx120X-all }
    |                      ^^^^^^^^^^^^
   ::: matrix/families.yml:7:15
    |
  7 |       family: gfx94X-dcgpu
    |               ^^^^^^^^^^^^ first here
)");
}

TEST_CASE("a column of one's own must not look like a slip", "[matrix]") {
  SmallMatrix m;
  m.Replace("pytorch", "  ci: {", "  ci: { include: [ { test: false, extra: 3 } ],");
  CHECK("\n" + m.Errors() == R"(
error[unknown-key]: 'combos.ci.include[0]' has no column 'test'
  --> matrix/pytorch.yml:8:22
   |
 8 |   ci: { include: [ { test: false, extra: 3 } ], platforms: { linux: { python: ["3.12"], torch: [release/2.10] } } }
   |                      ^^^^ did you mean 'tests'?
   = a column of your own needs a name that nobody takes for a known one
   = known: 'platform', 'gfx', 'python', 'torch' and 'tests'
)");
}

TEST_CASE("an exclude that excludes nothing in particular", "[matrix]") {
  SmallMatrix m;
  m.Replace("pytorch", "  ci: {", "  ci: { exclude: [ { why: x } ],");
  CHECK("\n" + m.Errors() == R"(
error[missing-key]: 'combos.ci.exclude[0]' needs at least one of 'platform', 'gfx', 'python' and 'torch'
  --> matrix/pytorch.yml:8:20
   |
 8 |   ci: { exclude: [ { why: x } ], platforms: { linux: { python: ["3.12"], torch: [release/2.10] } } }
   |                    ^
   = `wheelwright help matrix` describes 'combos'
)");
}

TEST_CASE("names that no row has", "[matrix]") {
  SmallMatrix m;
  m.Replace("families", "test_runs_on:", "variants: [asam]\n      test_runs_on:");
  m.Set("pytorch",
        "torch:\n"
        "  nightly: { id: torch_nightly, source: rokm }\n"
        "projects: { torch: { folder: pytorch, hipify: true } }\n"
        "torch_sources:\n"
        "  rocm:\n"
        "    torch: { repository: https://github.com/ROCm/pytorch.git, commit_from: torch_ref }\n"
        "    touch: { repository: https://github.com/ROCm/pytorch.git, commit_from: torch_ref }\n"
        "combos:\n"
        "  ci:\n"
        "    release_types: [dew]\n"
        "    platforms: { linux: { python: [\"3.12\"], torch: [nightli] } }\n"
        "gfx_groups: { fat: { platforms: [linus], families: [gfx94x], why: One build } }\n");
  m.Set("release",
        "release_types:\n"
        "  dev: { domain: def, store: s4, python_bucket: dev-python, tarball_bucket: dev-tarball,"
        " artifact_bucket: dev-artifacts, subdir: v2, staging_subdir: v2-staging,"
        " index_url: https://dev.example.com/v2, staging_index_url: "
        "https://dev.example.com/v2-staging,"
        " role: \"arn:aws:iam::123456789012:role/dev\", region: us-east-2 }\n"
        "domains:\n"
        "  dev: { doc: By hand, roles: [\"arn:aws:iam::123456789012:role/dev\"],"
        " buckets: [dev-python], triggers: [workflow_dispatch] }\n"
        "wheel_stores: { s3: { bytes: 5, source: x } }\n");
  CHECK("\n" + m.Errors() == R"(
error[unknown-variant]: no variant is called 'asam'
  --> matrix/families.yml:9:18
   |
 9 |       variants: [asam]
   |                  ^^^^ did you mean 'asan'?
   = variants of linux are defined in matrix/platforms.yml

error[unknown-torch-source]: no torch source is called 'rokm'
  --> matrix/pytorch.yml:2:41
   |
 2 |   nightly: { id: torch_nightly, source: rokm }
   |                                         ^^^^ did you mean 'rocm'?
   = torch sources are defined in matrix/pytorch.yml

error[unknown-project]: no project is called 'touch'
  --> matrix/pytorch.yml:7:5
   |
 7 |     touch: { repository: https://github.com/ROCm/pytorch.git, commit_from: torch_ref }
   |     ^^^^^ did you mean 'torch'?
   = projects are defined in matrix/pytorch.yml

error[unknown-release-type]: no release type is called 'dew'
   --> matrix/pytorch.yml:10:21
    |
 10 |     release_types: [dew]
    |                     ^^^ did you mean 'dev'?
    = release types are defined in matrix/release.yml

error[unknown-torch-ref]: no torch ref is called 'nightli'
   --> matrix/pytorch.yml:11:53
    |
 11 |     platforms: { linux: { python: ["3.12"], torch: [nightli] } }
    |                                                     ^^^^^^^ did you mean 'nightly'?
    = torch refs are defined in matrix/pytorch.yml

error[unknown-platform]: no platform is called 'linus'
   --> matrix/pytorch.yml:12:34
    |
 12 | gfx_groups: { fat: { platforms: [linus], families: [gfx94x], why: One build } }
    |                                  ^^^^^ did you mean 'linux'?
    = platforms are defined in matrix/platforms.yml

error[unknown-domain]: no domain is called 'def'
  --> matrix/release.yml:2:18
   |
 2 |   dev: { domain: def, store: s4, python_bucket: dev-python, tarball_bucket: dev-tarball, artifact_bucket: dev-artifacts, subdir: v2, staging_subdir: v2-staging, index_url: https://dev.example.com/v2, staging_index_url: https://dev.example.com/v2-staging, role: "arn:aws:iam::123456789012:role/dev", region: us-east-2 }
   |                  ^^^ did you mean 'dev'?
   = domains are defined in matrix/release.yml

error[unknown-store]: no store is called 's4'
  --> matrix/release.yml:2:30
   |
 2 |   dev: { domain: def, store: s4, python_bucket: dev-python, tarball_bucket: dev-tarball, artifact_bucket: dev-artifacts, subdir: v2, staging_subdir: v2-staging, index_url: https://dev.example.com/v2, staging_index_url: https://dev.example.com/v2-staging, role: "arn:aws:iam::123456789012:role/dev", region: us-east-2 }
   |                              ^^ did you mean 's3'?
   = wheel stores are defined in matrix/release.yml
)");
}

TEST_CASE("a file that holds no mapping", "[matrix]") {
  SmallMatrix m;
  m.Set("families", "- a\n");
  CHECK("\n" + m.Errors() == R"(
error[wrong-type]: matrix/families.yml must hold a mapping of tables, not a list
  --> matrix/families.yml:1:1
   |
 1 | - a
   | ^ for one value, write a
)");
}

TEST_CASE("everything that is wrong is reported at once", "[matrix]") {
  SmallMatrix m;
  m.Replace("platforms", "title: Linux", "titel: Linux");
  m.Replace("families", "tier: nightly", "tier: nightli");
  m.Replace("pytorch", "source: rocm", "source: rocn");
  m.Errors();
  std::vector<std::string_view> codes;
  for (const auto& entry : m.diagnostics.entries()) codes.push_back(entry.diagnostic.code);
  CHECK(codes == std::vector<std::string_view>{"unknown-key", "missing-key", "unknown-tier",
                                               "unknown-torch-source"});
}

TEST_CASE("names of a file that is no YAML are not called unknown", "[matrix]") {
  SmallMatrix m;
  m.Set("families", "families: [\n");
  m.Set("triggers", "triggers: { push: { tiers: [presubmit], pytorch: [gfx94x] } }\n");
  m.Errors();
  REQUIRE(m.diagnostics.entries().size() == 1);
  CHECK(m.diagnostics.entries()[0].diagnostic.code == "yaml-syntax");
}

TEST_CASE("what a column may hold", "[matrix]") {
  SmallMatrix m;
  m.Replace("families", "test_runs_on: linux-mi325", "test_runs_on: null");
  m.Set("triggers",
        "triggers:\n"
        "  push: { tiers: [], pytorch: all, branches: [main, release/*] }\n"
        "  schedule: { tiers: [nightly], pytorch: [gfx94x], cron: \"*/15 2-4,8 * JAN-MAR MON,5\" "
        "}\n");
  m.Replace("pytorch", "  ci: {",
            "  ci: { include: [ { gfx: [gfx94x, gfx120X-all], python: 3.13t, mine: 3 } ],");
  CHECK(m.Errors() == "");
}

}  // namespace
}  // namespace wheelwright
