#include <catch2/catch.hpp>

#include "tests/unit/link_harness.h"

using namespace wheelwright;

namespace {

LinkRules With(RuleLevel LinkRules::* rule, RuleLevel level = RuleLevel::kError) {
  LinkRules rules = NoPolicy();
  rules.*rule = level;
  return rules;
}

// A workflow that others start.
constexpr std::string_view kDispatched = R"(on:
  workflow_dispatch:
    inputs:
      family: { type: choice, options: [gfx942, gfx1100], required: true }
      kind: { required: true, default: dev }
      dry_run: { type: boolean }
jobs:
  a:
    runs-on: x
    steps: [{ run: make }]
)";

}  // namespace

TEST_CASE("every input is read", "[link]") {
  CHECK(LinkTexts({{"ci.yml", R"(on:
  workflow_call:
    inputs:
      a: { type: string }
      b: { type: string }
      c: { type: string }
      d: { type: string }
      e: { type: string }
      build-type: { type: string }
    outputs:
      out: { value: "${{ inputs.a }}" }
jobs:
  a:
    if: inputs.b == 'x'
    runs-on: ${{ inputs['c'] }}
    steps: [{ run: "inputs.d ${{ INPUTS.Build-Type }}" }]
)"}},
                  With(&LinkRules::used_inputs), NoLimits())
            .report ==
        R"(error[unused-input]: nothing reads the input 'd'
  --> ci.yml:7:7
   |
 7 |       d: { type: string }
   |       ^ remove it

error[unused-input]: nothing reads the input 'e'
  --> ci.yml:8:7
   |
 8 |       e: { type: string }
   |       ^ remove it
)");
}

TEST_CASE("inputs that are read as a whole are all read", "[link]") {
  CHECK(LinkTexts({{"ci.yml", R"(on: { workflow_dispatch: { inputs: { a: {}, b: {} } } }
jobs:
  a:
    runs-on: x
    steps: [{ run: make, env: { ALL: "${{ toJSON(inputs) }}" } }]
)"}},
                  With(&LinkRules::used_inputs), NoLimits())
            .report == "");
}

TEST_CASE("inputs of an event are read as well", "[link]") {
  CHECK(LinkTexts({{"ci.yml", R"(on: { workflow_dispatch: { inputs: { a: {}, b: {} } } }
jobs:
  a:
    runs-on: x
    steps: [{ run: make, env: { A: "${{ github.event.inputs.a }}" } }]
)"}},
                  With(&LinkRules::used_inputs), NoLimits())
            .report ==
        R"(error[unused-input]: nothing reads the input 'b'
  --> ci.yml:1:45
   |
 1 | on: { workflow_dispatch: { inputs: { a: {}, b: {} } } }
   |                                             ^ remove it
)");
}

TEST_CASE("both sides of a workflow take the same inputs", "[link]") {
  CHECK(
      LinkTexts({{"ci.yml", R"(on:
  workflow_call:
    inputs:
      same: { type: string, default: a }
      kind: { type: string, default: dev }
      flag: { type: boolean, required: true }
      only_call: { type: string }
      not_read: { type: string }
  workflow_dispatch:
    inputs:
      same: { type: choice, options: [a, b], default: a, description: "Differs, and may" }
      kind: { type: string, default: nightly }
      flag: { type: string }
      only_dispatch: { type: string }
jobs:
  a:
    runs-on: x
    steps: [{ run: make, env: { A: "${{ inputs.only_call }} ${{ inputs.only_dispatch }}" } }]
)"}},
                With(&LinkRules::equal_sides), NoLimits())
          .report ==
      R"(error[input-sides-differ]: the input 'kind' is not the same for workflow_call and workflow_dispatch
   --> ci.yml:12:7
    |
 12 |       kind: { type: string, default: nightly }
    |       ^^^^
   ::: ci.yml:5:7
    |
  5 |       kind: { type: string, default: dev }
    |       ^^^^ for workflow_call
    = the default is 'dev' and 'nightly'

error[input-sides-differ]: the input 'flag' is not the same for workflow_call and workflow_dispatch
   --> ci.yml:13:7
    |
 13 |       flag: { type: string }
    |       ^^^^
   ::: ci.yml:6:7
    |
  6 |       flag: { type: boolean, required: true }
    |       ^^^^ for workflow_call
    = the type is boolean and string
    = it is required by workflow_call only

error[input-on-one-side]: the input 'only_call' is read, and empty when the workflow is dispatched
  --> ci.yml:7:7
   |
 7 |       only_call: { type: string }
   |       ^^^^^^^^^ declare it for workflow_dispatch as well

error[input-on-one-side]: the input 'only_dispatch' is read, and empty when the workflow is called
   --> ci.yml:14:7
    |
 14 |       only_dispatch: { type: string }
    |       ^^^^^^^^^^^^^ declare it for workflow_call as well
)");
}

TEST_CASE("dispatched workflows take what they are given", "[link]") {
  CHECK(LinkTexts({{"ci.yml", R"(on: push
jobs:
  a:
    runs-on: x
    steps:
      - uses: benc-uk/workflow-dispatch@v1
        with:
          workflow: release.yml
          inputs: '{ "family": "gfx942", "dry_run": "${{ github.ref == ''a'' }}", "kind": ${{ toJSON(github.ref) }} }'
      - run: gh workflow run release.yml --ref "${{ github.ref }}" -f family=gfx1100 -F kind="$KIND"
      - run: gh workflow run other.yml --repo owner/other
      - run: gh workflow run "$WORKFLOW" -f anything=1
      - run: echo '{}' | gh workflow run release.yml --json
)"},
                   {"release.yml", kDispatched}},
                  NoPolicy(), NoLimits())
            .report == "");
}

TEST_CASE("dispatched workflows exist and declare their inputs", "[link]") {
  CHECK(LinkTexts({{"ci.yml", R"(on: push
jobs:
  a:
    runs-on: x
    steps:
      - uses: benc-uk/workflow-dispatch@v1
        with:
          workflow: relese.yml
      - uses: benc-uk/workflow-dispatch@v1
        with:
          workflow: release.yml
          inputs: |
            {
              "family": "gfx940",
              "dry_run": "maybe",
              "kindd": "${{ github.ref }}"
            }
      - uses: benc-uk/workflow-dispatch@v1
        with: { workflow: release.yml, inputs: "family: gfx942" }
      - run: |
          gh workflow run release.yml \
            -f kind=dev --raw-field=dryrun=true
          gh workflow run ci.yml
)"},
                   {"release.yml", kDispatched}},
                  NoPolicy(), NoLimits())
            .report ==
        R"(error[bad-dispatch-inputs]: the inputs of a dispatched workflow must be a JSON object
   --> ci.yml:19:48
    |
 19 |         with: { workflow: release.yml, inputs: "family: gfx942" }
    |                                                ^^^^^^^^^^^^^^^^ such as { "name": "value" }

error[unknown-workflow]: there is no workflow relese.yml
  --> ci.yml:8:21
   |
 8 |           workflow: relese.yml
   |                     ^^^^^^^^^^ did you mean 'release.yml'?

error[unknown-choice]: 'gfx940' is none of the options of 'family' of release.yml
   --> ci.yml:14:15
    |
 14 |               "family": "gfx940",
    |               ^^^^^^^^ did you mean 'gfx942'?
   ::: release.yml:4:7
    |
  4 |       family: { type: choice, options: [gfx942, gfx1100], required: true }
    |       ^^^^^^ declared here

error[input-type]: the input 'dry_run' of release.yml is a boolean, and this is 'maybe'
   --> ci.yml:15:15
    |
 15 |               "dry_run": "maybe",
    |               ^^^^^^^^^
   ::: release.yml:6:7
    |
  6 |       dry_run: { type: boolean }
    |       ^^^^^^^ declared here

error[unknown-input]: release.yml cannot be dispatched with an input 'kindd'
   --> ci.yml:16:15
    |
 16 |               "kindd": "${{ github.ref }}"
    |               ^^^^^^^ did you mean 'kind'?
   ::: release.yml:1:1
    |
  1 | on:
    | ^^ declared here

error[unknown-input]: release.yml cannot be dispatched with an input 'dryrun'
   --> ci.yml:22:25
    |
 22 |             -f kind=dev --raw-field=dryrun=true
    |                         ^^^^^^^^^^^^^^^^^^^^^^^ did you mean 'dry_run'?
   ::: release.yml:1:1
    |
  1 | on:
    | ^^ declared here

error[missing-input]: release.yml is dispatched without the required input 'family'
   --> ci.yml:21:27
    |
 21 |           gh workflow run release.yml \
    |                           ^^^^^^^^^^^
   ::: release.yml:4:7
    |
  4 |       family: { type: choice, options: [gfx942, gfx1100], required: true }
    |       ^^^^^^ declared here

error[not-dispatchable]: ci.yml cannot be dispatched: it has no 'workflow_dispatch'
   --> ci.yml:23:27
    |
 23 |           gh workflow run ci.yml
    |                           ^^^^^^
)");
}
