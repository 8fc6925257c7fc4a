#include <catch2/catch.hpp>

#include "tests/unit/link_harness.h"

using namespace wheelwright;

namespace {

// What build.yml takes and gives.
constexpr std::string_view kBuild = R"(on:
  workflow_call:
    inputs:
      family: { type: string, required: true }
      dry_run: { type: boolean }
      jobs: { type: number }
    secrets:
      token: { required: true }
      other: {}
    outputs:
      flag: { value: "true" }
jobs:
  build:
    runs-on: x
    steps: [{ run: "make ${{ toJSON(inputs) }}" }]
)";

LinkRules With(RuleLevel LinkRules::* rule, RuleLevel level = RuleLevel::kError) {
  LinkRules rules = NoPolicy();
  rules.*rule = level;
  return rules;
}

}  // namespace

TEST_CASE("a call that gives what is asked for", "[link]") {
  CHECK(LinkTexts({{"ci.yml", R"(on: push
jobs:
  a:
    uses: ./.github/workflows/build.yml
    with: { family: gfx942, dry_run: true, jobs: 4 }
    secrets: { token: "${{ secrets.T }}" }
)"},
                   {"build.yml", kBuild}},
                  NoPolicy(), NoLimits())
            .report == "");
}

TEST_CASE("a call of a workflow that is not there", "[link]") {
  LinkRules rules = With(&LinkRules::known_callees);
  rules.present_callees = RuleLevel::kError;
  CHECK(LinkTexts({{"ci.yml", R"(on: push
jobs:
  a:
    uses: ./.github/workflows/biuld.yml
  b:
    uses: owner/repo/.github/workflows/x.yml@v1
)"},
                   {"build.yml", kBuild}},
                  rules, NoLimits())
            .report ==
        R"(error[unknown-workflow]: there is no workflow biuld.yml
  --> ci.yml:4:11
   |
 4 |     uses: ./.github/workflows/biuld.yml
   |           ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ did you mean 'build.yml'?
   = declare hand-written workflows in the matrix, below external_workflows

error[unknown-workflow]: nothing is known of owner/repo/.github/workflows/x.yml, so the call cannot be checked
  --> ci.yml:6:11
   |
 6 |     uses: owner/repo/.github/workflows/x.yml@v1
   |           ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
   = declare hand-written workflows in the matrix, below external_workflows
)");
}

TEST_CASE("a call of a workflow that cannot be called", "[link]") {
  CHECK(LinkTexts({{"ci.yml", R"(on: push
jobs:
  a:
    uses: ./.github/workflows/push.yml
)"}},
                  NoPolicy(), NoLimits(), {WorkflowInterface{.name = "push.yml"}})
            .report ==
        R"(error[not-callable]: push.yml cannot be called: it has no 'workflow_call'
  --> ci.yml:4:11
   |
 4 |     uses: ./.github/workflows/push.yml
   |           ^^^^^^^^^^^^^^^^^^^^^^^^^^^^
)");
}

TEST_CASE("inputs and secrets that the callee does not know", "[link]") {
  CHECK(LinkTexts({{"ci.yml", R"(on: push
jobs:
  a:
    uses: ./.github/workflows/build.yml
    with: { famly: gfx942, family: x, nonsense: 1 }
    secrets: { tokn: a, token: b }
)"},
                   {"build.yml", kBuild}},
                  NoPolicy(), NoLimits())
            .report ==
        R"(error[unknown-input]: build.yml has no input 'famly'
  --> ci.yml:5:13
   |
 5 |     with: { famly: gfx942, family: x, nonsense: 1 }
   |             ^^^^^ did you mean 'family'?
  ::: build.yml:2:3
   |
 2 |   workflow_call:
   |   ^^^^^^^^^^^^^ the called workflow

error[unknown-input]: build.yml has no input 'nonsense'
  --> ci.yml:5:39
   |
 5 |     with: { famly: gfx942, family: x, nonsense: 1 }
   |                                       ^^^^^^^^
  ::: build.yml:2:3
   |
 2 |   workflow_call:
   |   ^^^^^^^^^^^^^ the called workflow
   = inputs of build.yml: family, dry_run and jobs

error[unknown-secret]: build.yml has no secret 'tokn'
  --> ci.yml:6:16
   |
 6 |     secrets: { tokn: a, token: b }
   |                ^^^^ did you mean 'token'?
  ::: build.yml:2:3
   |
 2 |   workflow_call:
   |   ^^^^^^^^^^^^^ the called workflow
)");
}

TEST_CASE("required inputs and secrets", "[link]") {
  CHECK(LinkTexts({{"ci.yml", R"(on: push
jobs:
  a:
    uses: ./.github/workflows/build.yml
    with: { dry_run: false }
)"},
                   {"build.yml", kBuild}},
                  NoPolicy(), NoLimits())
            .report ==
        R"(error[missing-input]: job 'a' does not give build.yml the required input 'family'
  --> ci.yml:4:11
   |
 4 |     uses: ./.github/workflows/build.yml
   |           ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
  ::: build.yml:4:7
   |
 4 |       family: { type: string, required: true }
   |       ^^^^^^ required here

error[missing-secret]: job 'a' does not give build.yml the required secret 'token'
  --> ci.yml:4:11
   |
 4 |     uses: ./.github/workflows/build.yml
   |           ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
  ::: build.yml:8:7
   |
 8 |       token: { required: true }
   |       ^^^^^ required here
)");
}

TEST_CASE("a callee that takes nothing", "[link]") {
  CHECK(LinkTexts({{"ci.yml", R"(on: push
jobs:
  a:
    uses: ./.github/workflows/build.yml
    with: { a: 1 }
)"},
                   {"build.yml", R"(on: workflow_call
jobs: { a: { runs-on: x, steps: [{ run: make }] } }
)"}},
                  NoPolicy(), NoLimits())
            .report ==
        R"(error[unknown-input]: build.yml has no input 'a'
  --> ci.yml:5:13
   |
 5 |     with: { a: 1 }
   |             ^
  ::: build.yml:1:5
   |
 1 | on: workflow_call
   |     ^^^^^^^^^^^^^ the called workflow
   = build.yml takes no inputs
)");
}

TEST_CASE("literal values have the type of the input", "[link]") {
  CHECK(
      LinkTexts({{"ci.yml", R"(on: push
jobs:
  a:
    uses: ./.github/workflows/build.yml
    with: { family: 3.10, dry_run: "true", jobs: many }
    secrets: { token: a }
)"},
                 {"build.yml", kBuild}},
                NoPolicy(), NoLimits())
          .report ==
      R"(error[input-type]: the input 'family' of build.yml is a string, and this is the number 3.10
  --> ci.yml:5:21
   |
 5 |     with: { family: 3.10, dry_run: "true", jobs: many }
   |                     ^^^^ write it in quotes: "3.10"
  ::: build.yml:4:7
   |
 4 |       family: { type: string, required: true }
   |       ^^^^^^ declared here

error[input-type]: the input 'dry_run' of build.yml is a boolean, and this is the string 'true'
  --> ci.yml:5:36
   |
 5 |     with: { family: 3.10, dry_run: "true", jobs: many }
   |                                    ^^^^^^ write it without quotes
  ::: build.yml:5:7
   |
 5 |       dry_run: { type: boolean }
   |       ^^^^^^^ declared here

error[input-type]: the input 'jobs' of build.yml is a number, and this is the string 'many'
  --> ci.yml:5:50
   |
 5 |     with: { family: 3.10, dry_run: "true", jobs: many }
   |                                                  ^^^^
  ::: build.yml:6:7
   |
 6 |       jobs: { type: number }
   |       ^^^^ declared here
)");
}

TEST_CASE("expressions of a known type have the type of the input", "[link]") {
  CHECK(
      LinkTexts({{"ci.yml", R"(on:
  workflow_call:
    inputs:
      flag: { type: boolean }
      text: { type: string }
      count: { type: number }
jobs:
  good:
    uses: ./.github/workflows/build.yml
    with: { family: "${{ inputs.count }}", dry_run: "${{ inputs.flag }}", jobs: "${{ inputs.count }}" }
    secrets: { token: a }
  also_good:
    needs: good
    uses: ./.github/workflows/build.yml
    with:
      family: a
      dry_run: ${{ fromJSON(needs.good.outputs.flag) }}
      jobs: ${{ github.run_attempt }}
    secrets: { token: a }
  more_good:
    uses: ./.github/workflows/build.yml
    with: { family: a, dry_run: "${{ !inputs.flag }}", jobs: "${{ inputs.text || 'a' || 3 }}" }
    secrets: { token: a }
  bad:
    needs: good
    uses: ./.github/workflows/build.yml
    with:
      family: a
      dry_run: ${{ needs.good.outputs.flag }}
      jobs: ${{ inputs.flag }}
    secrets: { token: a }
  worse:
    uses: ./.github/workflows/build.yml
    with:
      family: a
      dry_run: x${{ inputs.flag }}
      jobs: ${{ format('{0}', 3) }}
    secrets: { token: a }
)"},
                 {"build.yml", kBuild}},
                NoPolicy(), NoLimits())
          .report ==
      R"(error[input-type]: the input 'dry_run' of build.yml is a boolean, and this is an expression that gives a string
   --> ci.yml:29:16
    |
 29 |       dry_run: ${{ needs.good.outputs.flag }}
    |                ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ fromJSON() makes a value of a string
   ::: build.yml:5:7
    |
  5 |       dry_run: { type: boolean }
    |       ^^^^^^^ declared here

error[input-type]: the input 'jobs' of build.yml is a number, and this is an expression that gives a boolean
   --> ci.yml:30:13
    |
 30 |       jobs: ${{ inputs.flag }}
    |             ^^^^^^^^^^^^^^^^^^
   ::: build.yml:6:7
    |
  6 |       jobs: { type: number }
    |       ^^^^ declared here

error[input-type]: the input 'dry_run' of build.yml is a boolean, and this is an expression that gives a string
   --> ci.yml:36:16
    |
 36 |       dry_run: x${{ inputs.flag }}
    |                ^^^^^^^^^^^^^^^^^^^
   ::: build.yml:5:7
    |
  5 |       dry_run: { type: boolean }
    |       ^^^^^^^ declared here

error[input-type]: the input 'jobs' of build.yml is a number, and this is an expression that gives a string
   --> ci.yml:37:13
    |
 37 |       jobs: ${{ format('{0}', 3) }}
    |             ^^^^^^^^^^^^^^^^^^^^^^^ fromJSON() makes a value of a string
   ::: build.yml:6:7
    |
  6 |       jobs: { type: number }
    |       ^^^^ declared here
)");
}

TEST_CASE("secrets are named", "[link]") {
  CHECK(LinkTexts({{"ci.yml", R"(on: push
jobs:
  a:
    uses: ./.github/workflows/build.yml
    with: { family: a }
    secrets: inherit
)"},
                   {"build.yml", kBuild}},
                  With(&LinkRules::named_secrets), NoLimits())
            .report ==
        R"(error[inherited-secrets]: job 'a' passes all secrets to the called workflow
  --> ci.yml:6:14
   |
 6 |     secrets: inherit
   |              ^^^^^^^ list those that it needs
)");
}

TEST_CASE("workflows that call each other in a circle", "[link]") {
  CHECK(LinkTexts({{"ci.yml", R"(on: push
jobs:
  a:
    uses: ./.github/workflows/one.yml
)"},
                   {"one.yml", R"(on: workflow_call
jobs:
  a:
    uses: ./.github/workflows/two.yml
)"},
                   {"two.yml", R"(on: workflow_call
jobs:
  a:
    uses: ./.github/workflows/one.yml
)"}},
                  NoPolicy(), NoLimits())
            .report ==
        R"(error[call-cycle]: workflows call each other in a circle: one.yml -> two.yml -> one.yml
  --> two.yml:4:11
   |
 4 |     uses: ./.github/workflows/one.yml
   |           ^^^^^^^^^^^^^^^^^^^^^^^^^^^
)");
}

TEST_CASE("a workflow of another repository is checked by its declaration", "[link]") {
  CHECK(LinkTexts({{"ci.yml", R"(on: push
jobs:
  a:
    uses: owner/repo/.github/workflows/x.yml@v1
    with: { famly: a }
)"}},
                  NoPolicy(), NoLimits(),
                  {WorkflowInterface{.name = "owner/repo/.github/workflows/x.yml",
                                     .callable = true,
                                     .inputs = {{.name = "family"}}}})
            .report ==
        R"(error[unknown-input]: owner/repo/.github/workflows/x.yml has no input 'famly'
  --> ci.yml:5:13
   |
 5 |     with: { famly: a }
   |             ^^^^^ did you mean 'family'?
)");
}
