#include <catch2/catch.hpp>

#include "generator/workflow/cron.h"
#include "generator/workflow/syntax.h"
#include "tests/unit/link_harness.h"

using namespace wheelwright;

TEST_CASE("a good workflow has no findings", "[link]") {
  CHECK(LinkTexts({{"ci.yml", R"(name: CI
run-name: ${{ github.ref }}
on:
  push: { branches: [main], paths-ignore: [docs/**] }
  pull_request: { types: [opened, labeled] }
  schedule:
    - cron: "0 2 * * 1-5"
  workflow_dispatch:
    inputs:
      family: { type: choice, options: [gfx942, gfx1100], default: gfx942 }
      dry_run: { type: boolean, default: false }
permissions:
  contents: read
  id-token: write
env: { A: 1 }
concurrency: { group: "${{ github.ref }}", cancel-in-progress: true }
defaults: { run: { shell: bash } }
jobs:
  a:
    name: A
    runs-on: { group: big, labels: [linux, x64] }
    timeout-minutes: ${{ fromJSON(vars.MINUTES) }}
    strategy: { fail-fast: false, matrix: { python: ["3.10"], include: [{ python: "3.11" }] } }
    container: { image: "a@b", options: --privileged }
    services: { db: { image: postgres } }
    environment: { name: release, url: "https://example.org" }
    outputs: { version: "${{ steps.v.outputs.version }}" }
    continue-on-error: false
    steps:
      - id: v
        if: always()
        name: Version
        run: make
        shell: bash -e {0}
        working-directory: src
        env: { B: true }
      - uses: ./.github/actions/setup
        with: { fast: true }
      - uses: docker://alpine@sha256:1
  b:
    needs: [a]
    uses: ./.github/workflows/build.yml
    with: { x: 1 }
    secrets: inherit
)"}},
                  NoPolicy(), NoLimits())
            .report == "");
}

TEST_CASE("what is no mapping is no workflow", "[link]") {
  CHECK(LinkTexts({{"ci.yml", R"(- a
)"}},
                  NoPolicy(), NoLimits())
            .report ==
        R"(error[not-a-workflow]: a workflow must be a mapping, not a list
  --> ci.yml:1:1
   |
 1 | - a
   | ^
)");
}

TEST_CASE("a workflow needs triggers and jobs", "[link]") {
  CHECK(LinkTexts({{"ci.yml", R"(name: CI
)"}},
                  NoPolicy(), NoLimits())
            .report ==
        R"(error[missing-key]: a workflow needs the key 'on'
  --> ci.yml:1:1
   |
 1 | name: CI
   | ^

error[missing-key]: a workflow needs the key 'jobs'
  --> ci.yml:1:1
   |
 1 | name: CI
   | ^
)");
}

TEST_CASE("a workflow without jobs", "[link]") {
  CHECK(LinkTexts({{"ci.yml", R"(on: push
jobs: {}
)"}},
                  NoPolicy(), NoLimits())
            .report ==
        R"(error[no-jobs]: the workflow has no jobs
  --> ci.yml:2:1
   |
 2 | jobs: {}
   | ^^^^
)");
}

TEST_CASE("unknown keys get a suggestion", "[link]") {
  CHECK(LinkTexts({{"ci.yml", R"(on: push
jobs:
  a:
    need: b
    runs-on: ubuntu-24.04
    steps:
      - run: make
        workdir: src
      - uses: a/b@v1
        shell: bash
  b:
    runs-on: ubuntu-24.04
    matrix: {}
    steps: [{ run: make }]
)"}},
                  NoPolicy(), NoLimits())
            .report ==
        R"(error[unknown-key]: a job has no key 'need'
  --> ci.yml:4:5
   |
 4 |     need: b
   |     ^^^^ did you mean 'needs'?

error[unknown-key]: a step that runs a script has no key 'workdir'
  --> ci.yml:8:9
   |
 8 |         workdir: src
   |         ^^^^^^^
   = a step that runs a script may have name, run, env, id, if, timeout-minutes, shell, working-directory, continue-on-error and background

error[unknown-key]: a step that uses an action has no key 'shell'
   --> ci.yml:10:9
    |
 10 |         shell: bash
    |         ^^^^^
    = a step that uses an action may have name, uses, with, id, if, env, timeout-minutes, continue-on-error and background

error[unknown-key]: a job has no key 'matrix'
   --> ci.yml:13:5
    |
 13 |     matrix: {}
    |     ^^^^^^
    = a job may have name, needs, if, runs-on, permissions, timeout-minutes, steps, env, outputs, strategy, container, services, environment, defaults, concurrency, continue-on-error, cancel-timeout-minutes, cache-mode and snapshot
)");
}

TEST_CASE("values of the wrong kind", "[link]") {
  CHECK(LinkTexts({{"ci.yml", R"(on: push
env: [A]
jobs:
  a:
    runs-on: ubuntu-24.04
    timeout-minutes: "30"
    needs: { b: c }
    steps:
      - run: make
        continue-on-error: "true"
      - run: [make]
      - make
  b: text
)"}},
                  NoPolicy(), NoLimits())
            .report ==
        R"(error[wrong-kind]: 'env' of a workflow must be a mapping, not a list
  --> ci.yml:2:6
   |
 2 | env: [A]
   |      ^

error[wrong-kind]: 'timeout-minutes' of a job must be a number, not the string '30'
  --> ci.yml:6:22
   |
 6 |     timeout-minutes: "30"
   |                      ^^^^ write it without quotes

error[wrong-kind]: 'needs' of a job must be a string or a list, not a mapping
  --> ci.yml:7:12
   |
 7 |     needs: { b: c }
   |            ^

error[wrong-kind]: an item of 'steps' must be a mapping, not the string 'make'
   --> ci.yml:12:9
    |
 12 |       - make
    |         ^^^^

error[wrong-kind]: 'continue-on-error' of a step that runs a script must be true or false, not the string 'true'
   --> ci.yml:10:28
    |
 10 |         continue-on-error: "true"
    |                            ^^^^^^ write it without quotes

error[wrong-kind]: 'run' of a step that runs a script must be a string, not a list
   --> ci.yml:11:14
    |
 11 |       - run: [make]
    |              ^

error[wrong-kind]: job 'b' must be a mapping, not the string 'text'
   --> ci.yml:13:3
    |
 13 |   b: text
    |   ^
)");
}

TEST_CASE("a job either calls a workflow or has steps", "[link]") {
  CHECK(LinkTexts({{"ci.yml", R"(on: push
jobs:
  a:
    uses: ./.github/workflows/build.yml
    steps: []
  b:
    steps:
      - run: make
  c:
    runs-on: ubuntu-24.04
)"}},
                  NoPolicy(), NoLimits())
            .report ==
        R"(error[uses-and-steps]: job 'a' calls a workflow, so it cannot have 'steps'
  --> ci.yml:5:5
   |
 5 |     steps: []
   |     ^^^^^
  ::: ci.yml:4:5
   |
 4 |     uses: ./.github/workflows/build.yml
   |     ^^^^ the call

error[missing-runs-on]: job 'b' has neither 'runs-on' nor 'uses'
  --> ci.yml:6:3
   |
 6 |   b:
   |   ^

error[missing-steps]: job 'c' has no steps
  --> ci.yml:9:3
   |
 9 |   c:
   |   ^
)");
}

TEST_CASE("a step either uses an action or runs a script", "[link]") {
  CHECK(LinkTexts({{"ci.yml", R"(on: push
jobs:
  a:
    runs-on: ubuntu-24.04
    steps:
      - uses: actions/cache@v4
        run: make
      - name: Nothing
)"}},
                  NoPolicy(), NoLimits())
            .report ==
        R"(error[uses-and-run]: a step cannot have both 'uses' and 'run'
  --> ci.yml:7:9
   |
 7 |         run: make
   |         ^^^
  ::: ci.yml:6:9
   |
 6 |       - uses: actions/cache@v4
   |         ^^^^ the action

error[empty-step]: a step needs 'uses' or 'run'
  --> ci.yml:8:9
   |
 8 |       - name: Nothing
   |         ^^^^
)");
}

TEST_CASE("ids follow rules and are unique whatever their case", "[link]") {
  CHECK(LinkTexts({{"ci.yml", R"(on: push
jobs:
  build:
    runs-on: ubuntu-24.04
    steps:
      - id: one
        run: make
      - id: One
        run: make
      - id: 1st
        run: make
  Build:
    runs-on: ubuntu-24.04
    steps: [{ run: make }]
  __own:
    runs-on: ubuntu-24.04
    steps: [{ run: make }]
  a.b:
    runs-on: ubuntu-24.04
    steps: [{ run: make }]
)"}},
                  NoPolicy(), NoLimits())
            .report ==
        R"(error[duplicate-id]: 'one' and 'One' are the same step to GitHub, which ignores case
  --> ci.yml:8:13
   |
 8 |       - id: One
   |             ^^^
  ::: ci.yml:6:13
   |
 6 |       - id: one
   |             ^^^ first defined here

error[bad-id]: '1st' cannot be a step's id: it must start with a letter or '_'
   --> ci.yml:10:13
    |
 10 |       - id: 1st
    |             ^^^

error[duplicate-id]: 'build' and 'Build' are the same job to GitHub, which ignores case
   --> ci.yml:12:3
    |
 12 |   Build:
    |   ^^^^^
   ::: ci.yml:3:3
    |
  3 |   build:
    |   ^^^^^ first defined here

error[bad-id]: '__own' cannot be a job's id: names that start with '__' are GitHub's own
   --> ci.yml:15:3
    |
 15 |   __own:
    |   ^^^^^

error[bad-id]: 'a.b' cannot be a job's id: it may have letters, digits, '-' and '_' only
   --> ci.yml:18:3
    |
 18 |   a.b:
    |   ^^^
)");
}

TEST_CASE("events, their filters and activity types", "[link]") {
  CHECK(LinkTexts({{"ci.yml", R"(on:
  pull_requests:
  pull_request:
    types: [opened, synchronise]
    branch: main
  check_suite: { types: foo }
  push: { branches: [main], branches-ignore: [x] }
  schedule:
    - cron: "0 2 * *"
    - time: noon
  workflow_run: CI
jobs:
  a:
    runs-on: ubuntu-24.04
    steps:
      - run: make
)"}},
                  NoPolicy(), NoLimits())
            .report ==
        R"(error[unknown-event]: there is no event 'pull_requests'
  --> ci.yml:2:3
   |
 2 |   pull_requests:
   |   ^^^^^^^^^^^^^ did you mean 'pull_request'?

error[unknown-activity-type]: the event 'pull_request' has no activity type 'synchronise'
  --> ci.yml:4:21
   |
 4 |     types: [opened, synchronise]
   |                     ^^^^^^^^^^^ did you mean 'synchronize'?

error[unknown-key]: the event 'pull_request' has no key 'branch'
  --> ci.yml:5:5
   |
 5 |     branch: main
   |     ^^^^^^ did you mean 'branches'?

error[unknown-activity-type]: the event 'check_suite' has no activity type 'foo'
  --> ci.yml:6:25
   |
 6 |   check_suite: { types: foo }
   |                         ^^^
   = activity types: completed

error[conflicting-filters]: 'push' cannot have both 'branches' and 'branches-ignore'
  --> ci.yml:7:29
   |
 7 |   push: { branches: [main], branches-ignore: [x] }
   |                             ^^^^^^^^^^^^^^^ write '!pattern' below 'branches'
  ::: ci.yml:7:11
   |
 7 |   push: { branches: [main], branches-ignore: [x] }
   |           ^^^^^^^^ the other filter

error[bad-cron]: '0 2 * *' is no cron line: it has 4 fields, not 5 (minute, hour, day, month, day of the week)
  --> ci.yml:9:13
   |
 9 |     - cron: "0 2 * *"
   |             ^^^^^^^^^

error[missing-key]: a schedule needs the key 'cron'
   --> ci.yml:10:7
    |
 10 |     - time: noon
    |       ^

error[wrong-kind]: 'workflow_run' must be a mapping, not the string 'CI'
   --> ci.yml:11:17
    |
 11 |   workflow_run: CI
    |                 ^^
)");
}

TEST_CASE("events in a list", "[link]") {
  CHECK(LinkTexts({{"ci.yml", R"(on: [push, pull-request]
jobs:
  a:
    runs-on: ubuntu-24.04
    steps:
      - run: make
)"}},
                  NoPolicy(), NoLimits())
            .report ==
        R"(error[unknown-event]: there is no event 'pull-request'
  --> ci.yml:1:12
   |
 1 | on: [push, pull-request]
   |            ^^^^^^^^^^^^ did you mean 'pull_request'?
)");
}

TEST_CASE("a schedule is a list", "[link]") {
  CHECK(LinkTexts({{"ci.yml", R"(on: { schedule: daily }
jobs:
  a:
    runs-on: ubuntu-24.04
    steps:
      - run: make
)"}},
                  NoPolicy(), NoLimits())
            .report ==
        R"(error[wrong-kind]: 'schedule' must be a list of 'cron' lines
  --> ci.yml:1:17
   |
 1 | on: { schedule: daily }
   |                 ^^^^^
)");
}

TEST_CASE("permissions have known scopes and levels", "[link]") {
  CHECK(LinkTexts({{"ci.yml", R"(on: push
permissions: read
jobs:
  a:
    permissions:
      content: read
      id-token: read
      models: write
      issues: admin
    runs-on: ubuntu-24.04
    steps: [{ run: make }]
)"}},
                  NoPolicy(), NoLimits())
            .report ==
        R"(error[unknown-permission]: 'read' is no set of permissions
  --> ci.yml:2:14
   |
 2 | permissions: read
   |              ^^^^
   = a mapping of scopes, 'read-all' or 'write-all'; {} grants nothing

error[unknown-permission]: there is no permission 'content'
  --> ci.yml:6:7
   |
 6 |       content: read
   |       ^^^^^^^ did you mean 'contents'?

error[unknown-permission]: 'id-token' cannot be 'read'
  --> ci.yml:7:17
   |
 7 |       id-token: read
   |                 ^^^^ write or none

error[unknown-permission]: 'models' cannot be 'write'
  --> ci.yml:8:15
   |
 8 |       models: write
   |               ^^^^^ read or none

error[unknown-permission]: 'issues' cannot be 'admin'
  --> ci.yml:9:15
   |
 9 |       issues: admin
   |               ^^^^^ read, write or none
)");
}

TEST_CASE("inputs have types that fit their defaults", "[link]") {
  CHECK(LinkTexts({{"ci.yml", R"(on:
  workflow_call:
    inputs:
      one: { description: No type }
      two: { type: choice }
      three: { type: boolean, default: "yes" }
      Three: { type: number, default: 3 }
    outputs:
      version: { description: No value }
    secrets:
      token: { require: true }
  workflow_dispatch:
    inputs:
      family: { type: choice, options: [gfx942, gfx1100], default: gfx940 }
      kind: { type: choice }
      name: { options: [a] }
      "2nd": { type: strnig }
jobs:
  a:
    runs-on: ubuntu-24.04
    steps:
      - run: make
)"}},
                  NoPolicy(), NoLimits())
            .report ==
        R"(error[unknown-key]: a secret of 'workflow_call' has no key 'require'
   --> ci.yml:11:16
    |
 11 |       token: { require: true }
    |                ^^^^^^^ did you mean 'required'?

error[missing-key]: an output of 'workflow_call' needs the key 'value'
  --> ci.yml:9:7
   |
 9 |       version: { description: No value }
   |       ^^^^^^^

error[duplicate-id]: 'three' and 'Three' are the same input to GitHub, which ignores case
  --> ci.yml:7:7
   |
 7 |       Three: { type: number, default: 3 }
   |       ^^^^^
  ::: ci.yml:6:7
   |
 6 |       three: { type: boolean, default: "yes" }
   |       ^^^^^ first defined here

error[missing-key]: an input of 'workflow_call' needs the key 'type'
  --> ci.yml:4:7
   |
 4 |       one: { description: No type }
   |       ^^^

error[unknown-input-type]: an input of 'workflow_call' cannot have the type 'choice'
  --> ci.yml:5:20
   |
 5 |       two: { type: choice }
   |                    ^^^^^^
   = types are string, boolean and number

error[input-type]: the default of the boolean 'three' is the string 'yes'
  --> ci.yml:6:40
   |
 6 |       three: { type: boolean, default: "yes" }
   |                                        ^^^^^

error[unknown-choice]: the default 'gfx940' is none of the options of 'family'
   --> ci.yml:14:68
    |
 14 |       family: { type: choice, options: [gfx942, gfx1100], default: gfx940 }
    |                                                                    ^^^^^^ did you mean 'gfx942'?
   ::: ci.yml:14:40
    |
 14 |       family: { type: choice, options: [gfx942, gfx1100], default: gfx940 }
    |                                        ^ the options

error[missing-key]: the choice 'kind' needs a list of 'options'
   --> ci.yml:15:7
    |
 15 |       kind: { type: choice }
    |       ^^^^

error[unknown-key]: the input 'name' has options, but its type is string
   --> ci.yml:16:15
    |
 16 |       name: { options: [a] }
    |               ^^^^^^^ write 'type: choice'

error[bad-id]: '2nd' cannot be an input's name: it must start with a letter or '_'
   --> ci.yml:17:7
    |
 17 |       "2nd": { type: strnig }
    |       ^^^^^

error[unknown-input-type]: an input of 'workflow_dispatch' cannot have the type 'strnig'
   --> ci.yml:17:22
    |
 17 |       "2nd": { type: strnig }
    |                      ^^^^^^ did you mean 'string'?
    = types are string, boolean, number, choice and environment
)");
}

TEST_CASE("forms of uses and names of shells", "[link]") {
  CHECK(LinkTexts({{"ci.yml", R"(on: push
jobs:
  a:
    runs-on: ubuntu-24.04
    steps:
      - uses: checkout
      - uses: actions/checkout
      - uses: ${{ matrix.action }}
      - run: make
        shell: bassh
      - run: make
        shell: perl
  b:
    uses: ./workflows/build.yml
  c:
    uses: ./.github/workflows/build.yml@main
  d:
    uses: owner/repo/.github/workflows/build.yml
  e:
    uses: ./.github/workflows/${{ inputs.file }}
  f:
    uses: ./.github/workflows/deep/build.yml
)"}},
                  NoPolicy(), NoLimits())
            .report ==
        R"(error[bad-uses]: 'checkout' is no action
  --> ci.yml:6:15
   |
 6 |       - uses: checkout
   |               ^^^^^^^^
   = an action is named owner/name@version, ./folder or docker://image

error[bad-uses]: 'actions/checkout' is no action
  --> ci.yml:7:15
   |
 7 |       - uses: actions/checkout
   |               ^^^^^^^^^^^^^^^^
   = an action of another repository needs '@' and a version

error[unknown-shell]: there is no shell 'bassh'
   --> ci.yml:10:16
    |
 10 |         shell: bassh
    |                ^^^^^ did you mean 'bash'?
    = a command of your own must hold {0}, which becomes the script's path

error[unknown-shell]: there is no shell 'perl'
   --> ci.yml:12:16
    |
 12 |         shell: perl
    |                ^^^^
    = a command of your own must hold {0}, which becomes the script's path

error[bad-uses]: './workflows/build.yml' is no workflow that can be called
   --> ci.yml:14:11
    |
 14 |     uses: ./workflows/build.yml
    |           ^^^^^^^^^^^^^^^^^^^^^
    = a workflow is in .github/workflows/ and its name ends in .yml or .yaml

error[bad-uses]: './.github/workflows/build.yml@main' is no workflow that can be called
   --> ci.yml:16:11
    |
 16 |     uses: ./.github/workflows/build.yml@main
    |           ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
    = a workflow of the same repository has no version

error[bad-uses]: 'owner/repo/.github/workflows/build.yml' is no workflow that can be called
   --> ci.yml:18:11
    |
 18 |     uses: owner/repo/.github/workflows/build.yml
    |           ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
    = a workflow of another repository needs '@' and a version

error[bad-uses]: './.github/workflows/deep/build.yml' is no workflow that can be called
   --> ci.yml:22:11
    |
 22 |     uses: ./.github/workflows/deep/build.yml
    |           ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
    = GitHub does not look into folders below .github/workflows/
)");
}

TEST_CASE("cron lines", "[workflow]") {
  for (const char* good :
       {"0 2 * * *", "*/15 0-5,8 1 JAN-mar SUN", "59 23 31 12 6", "0 0 * * MON-FRI/2"}) {
    CAPTURE(good);
    CHECK(CronProblem(good) == "");
  }
  CHECK(CronProblem("@daily") == "GitHub knows no names such as @daily");
  CHECK(CronProblem("") == "it has 0 fields, not 5 (minute, hour, day, month, day of the week)");
  CHECK(CronProblem("60 * * * *") == "the minute is '60', and goes from 0 to 59");
  CHECK(CronProblem("0 24 * * *") == "the hour is '24', and goes from 0 to 23");
  CHECK(CronProblem("0 0 0 * *") == "the day of the month is '0', and goes from 1 to 31");
  CHECK(CronProblem("0 0 * FOO *") == "the month is 'FOO', and goes from 1 to 12");
  CHECK(CronProblem("0 0 * * 5-1") == "the range '5-1' of the day of the week is backwards");
  CHECK(CronProblem("*/0 * * * *") == "the step of the minute must be a number from 1");
}

TEST_CASE("ids", "[workflow]") {
  CHECK(IdProblem("build_py312-torch_210") == "");
  CHECK(IdProblem("_") == "");
  CHECK(IdProblem(std::string(99, 'a')) == "");
  CHECK(IdProblem(std::string(100, 'a')) == "it has 100 characters, but GitHub accepts 99");
  CHECK(IdProblem("") == "it is empty");
  CHECK(IdProblem("-a") == "it must start with a letter or '_'");
}
