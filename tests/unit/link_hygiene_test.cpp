#include <catch2/catch.hpp>

#include "tests/unit/link_harness.h"

using namespace wheelwright;

namespace {

LinkRules With(RuleLevel LinkRules::* rule, RuleLevel level = RuleLevel::kError) {
  LinkRules rules = NoPolicy();
  rules.*rule = level;
  return rules;
}

Limits Minutes() {
  Limits limits = NoLimits();
  limits.job_minutes = 7200;
  limits.default_timeout_minutes = 360;
  return limits;
}

}  // namespace

TEST_CASE("actions are pinned by commit", "[link]") {
  CHECK(LinkTexts({{"ci.yml", R"(on: push
jobs:
  a:
    runs-on: x
    steps:
      - uses: actions/checkout@v4
      - uses: actions/checkout@3d3c42e5aac5ba805825da76410c181273ba90b1
      - uses: ./.github/actions/mine
      - uses: github/codeql-action/init@3d3c42e
  b:
    uses: owner/repo/.github/workflows/x.yml@main
)"}},
                  With(&LinkRules::pinned_actions), NoLimits())
            .report ==
        R"(error[unpinned-action]: 'actions/checkout' is not pinned: 'v4' may be moved to other code
  --> ci.yml:6:15
   |
 6 |       - uses: actions/checkout@v4
   |               ^^^^^^^^^^^^^^^^^^^ write the full commit
   = as in actions/checkout@<40 hexadecimal digits> # v4

error[unpinned-action]: 'github/codeql-action/init' is not pinned: '3d3c42e' may be moved to other code
  --> ci.yml:9:15
   |
 9 |       - uses: github/codeql-action/init@3d3c42e
   |               ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ write the full commit
   = as in github/codeql-action/init@<40 hexadecimal digits> # 3d3c42e

error[unpinned-action]: 'owner/repo/.github/workflows/x.yml' is not pinned: 'main' may be moved to other code
   --> ci.yml:11:11
    |
 11 |     uses: owner/repo/.github/workflows/x.yml@main
    |           ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ write the full commit
    = as in owner/repo/.github/workflows/x.yml@<40 hexadecimal digits> # main
)");
}

TEST_CASE("a pin says its version", "[link]") {
  CHECK(
      LinkTexts({{"ci.yml", R"(on: push
jobs:
  a:
    runs-on: x
    steps:
      - uses: actions/checkout@3d3c42e5aac5ba805825da76410c181273ba90b1 # v7.0.1
      - uses: actions/setup-python@5fda3b95a4ea91299a34e894583c3862153e4b97
      - uses: actions/setup-python@5fda3b95a4ea91299a34e894583c3862153e4b97 # latest
)"}},
                With(&LinkRules::pin_comments), NoLimits())
          .report ==
      R"(error[missing-pin-comment]: the version of 'actions/setup-python' at this commit is not given
  --> ci.yml:7:15
   |
 7 |       - uses: actions/setup-python@5fda3b95a4ea91299a34e894583c3862153e4b97
   |               ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ add a comment: # v1.2.3

error[missing-pin-comment]: the version of 'actions/setup-python' at this commit is not given
  --> ci.yml:8:15
   |
 8 |       - uses: actions/setup-python@5fda3b95a4ea91299a34e894583c3862153e4b97 # latest
   |               ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ add a comment: # v1.2.3
)");
}

TEST_CASE("images are named by digest", "[link]") {
  CHECK(LinkTexts({{"ci.yml", R"(on: push
jobs:
  a:
    runs-on: x
    container: { image: "ghcr.io/rocm/build@sha256:cf4f6d9909056906e4a1c0bc4c245658a0af4c6a6174082a86adfa2d518b7aeb" }
    services: { db: { image: postgres:16 }, other: "${{ vars.IMAGE }}" }
    steps: [{ uses: docker://alpine:3 }]
  b:
    runs-on: x
    container: python:3.12-slim
    steps: [{ run: make }]
)"}},
                  With(&LinkRules::pinned_images), NoLimits())
            .report ==
        R"(error[unpinned-image]: the image 'alpine:3' is not named by its digest
  --> ci.yml:7:21
   |
 7 |     steps: [{ uses: docker://alpine:3 }]
   |                     ^^^^^^^^^^^^^^^^^ write name@sha256:...

error[unpinned-image]: the image 'postgres:16' is not named by its digest
  --> ci.yml:6:30
   |
 6 |     services: { db: { image: postgres:16 }, other: "${{ vars.IMAGE }}" }
   |                              ^^^^^^^^^^^ write name@sha256:...

error[unpinned-image]: the image 'python:3.12-slim' is not named by its digest
   --> ci.yml:10:16
    |
 10 |     container: python:3.12-slim
    |                ^^^^^^^^^^^^^^^^ write name@sha256:...
)");
}

TEST_CASE("jobs with steps have a time limit", "[link]") {
  CHECK(LinkTexts({{"ci.yml", R"(on: push
jobs:
  a:
    runs-on: x
    steps: [{ run: make }]
  b:
    timeout-minutes: 400
    runs-on: [ubuntu-24.04]
    steps: [{ run: make }]
  c:
    timeout-minutes: 7200
    runs-on: linux-mi325
    steps: [{ run: make }]
  d:
    timeout-minutes: 7201
    runs-on: linux-mi325
    steps: [{ run: make }]
)"}},
                  With(&LinkRules::timeouts), Minutes())
            .report ==
        R"(error[missing-timeout]: job 'a' has no 'timeout-minutes'
  --> ci.yml:3:3
   |
 3 |   a:
   |   ^ without it a hung job is stopped after 360 minutes

error[bad-timeout]: job 'b' may run for 400 minutes, and a job on GitHub's machines ends after 360
  --> ci.yml:7:22
   |
 7 |     timeout-minutes: 400
   |                      ^^^

error[bad-timeout]: job 'd' may run for 7201 minutes, and a job ends after 7,200
   --> ci.yml:15:22
    |
 15 |     timeout-minutes: 7201
    |                      ^^^^
)");
}

TEST_CASE("checkouts have a time limit", "[link]") {
  CHECK(LinkTexts({{"ci.yml", R"(on: push
jobs:
  a:
    runs-on: x
    steps:
      - uses: actions/checkout@v4
        timeout-minutes: 15
      - uses: actions/checkout@v4
)"}},
                  With(&LinkRules::checkout_timeouts), NoLimits())
            .report ==
        R"(error[missing-checkout-timeout]: a checkout in job 'a' has no 'timeout-minutes'
  --> ci.yml:8:15
   |
 8 |       - uses: actions/checkout@v4
   |               ^^^^^^^^^^^^^^^^^^^ a fetch may hang for hours
)");
}

TEST_CASE("checkouts leave no token behind", "[link]") {
  CHECK(
      LinkTexts({{"ci.yml", R"(on: push
jobs:
  a:
    runs-on: x
    steps:
      - uses: actions/checkout@v4
        with: { persist-credentials: false }
      - uses: actions/checkout@v4
      - uses: actions/checkout@v4
        with: { persist-credentials: true }
)"}},
                With(&LinkRules::checkout_credentials), NoLimits())
          .report ==
      R"(error[checkout-keeps-credentials]: a checkout in job 'a' leaves the token in .git/config for all later steps
  --> ci.yml:8:15
   |
 8 |       - uses: actions/checkout@v4
   |               ^^^^^^^^^^^^^^^^^^^ add 'persist-credentials: false'

error[checkout-keeps-credentials]: a checkout in job 'a' leaves the token in .git/config for all later steps
   --> ci.yml:10:38
    |
 10 |         with: { persist-credentials: true }
    |                                      ^^^^ add 'persist-credentials: false'
)");
}

TEST_CASE("code of a pull request does not get the rights of the repository", "[link]") {
  CHECK(
      LinkTexts({{"ci.yml", R"(on: [pull_request_target]
jobs:
  a:
    runs-on: x
    steps:
      - uses: actions/checkout@v4
      - uses: actions/checkout@v4
        with:
          ref: ${{ github.event.pull_request.head.sha }}
)"}},
                With(&LinkRules::untrusted_checkout), NoLimits())
          .report ==
      R"(error[untrusted-checkout]: job 'a' checks out a pull request's code with the rights of this repository
  --> ci.yml:9:16
   |
 9 |           ref: ${{ github.event.pull_request.head.sha }}
   |                ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
  ::: ci.yml:1:6
   |
 1 | on: [pull_request_target]
   |      ^^^^^^^^^^^^^^^^^^^ runs with secrets and a token that may write
   = run unreviewed code from 'pull_request' only
)");
}

TEST_CASE("runs of one branch do not pile up", "[link]") {
  CHECK(LinkTexts({{"ci.yml", R"(on: [workflow_dispatch, push]
jobs:
  a:
    runs-on: x
    steps: [{ run: make }]
)"}},
                  With(&LinkRules::concurrency), NoLimits())
            .report ==
        R"(error[missing-concurrency]: runs of ci.yml for the same branch pile up
  --> ci.yml:1:25
   |
 1 | on: [workflow_dispatch, push]
   |                         ^^^^ add 'concurrency'
)");
}

TEST_CASE("scheduled workflows need no concurrency", "[link]") {
  CHECK(LinkTexts({{"ci.yml", R"(on: workflow_dispatch
jobs:
  a:
    runs-on: x
    steps: [{ run: make }]
)"}},
                  With(&LinkRules::concurrency), NoLimits())
            .report == "");
}

TEST_CASE("workflows and jobs have names, and different ones", "[link]") {
  CHECK(LinkTexts({{"ci.yml", R"(on: push
jobs:
  a:
    runs-on: x
    steps: [{ run: make }]
  b:
    name: Build
    runs-on: x
    steps: [{ run: make }]
  c:
    name: Build
    runs-on: x
    steps: [{ run: make }]
)"}},
                  With(&LinkRules::names), NoLimits())
            .report ==
        R"(error[missing-workflow-name]: ci.yml has no 'name'
  --> ci.yml:1:1
   |
 1 | on: push
   | ^^

error[missing-job-name]: job 'a' has no 'name'
  --> ci.yml:3:3
   |
 3 |   a:
   |   ^

error[duplicate-job-name]: jobs 'b' and 'c' have the same name 'Build'
   --> ci.yml:11:11
    |
 11 |     name: Build
    |           ^^^^^
   ::: ci.yml:7:11
    |
  7 |     name: Build
    |           ^^^^^ the other one
    = checks of a branch are known by the names of jobs
)");
}

TEST_CASE("runner images are fixed", "[link]") {
  CHECK(LinkTexts({{"ci.yml", R"(on: push
jobs:
  a:
    runs-on: ubuntu-latest
    steps: [{ run: make }]
  b:
    runs-on: { labels: [windows-latest] }
    steps: [{ run: make }]
  c:
    runs-on: my-latest
    steps: [{ run: make }]
)"}},
                  With(&LinkRules::fixed_runners), NoLimits())
            .report ==
        R"(error[moving-runner]: 'ubuntu-latest' will become another image
  --> ci.yml:4:14
   |
 4 |     runs-on: ubuntu-latest
   |              ^^^^^^^^^^^^^ name it: 'ubuntu-24.04'

error[moving-runner]: 'windows-latest' will become another image
  --> ci.yml:7:25
   |
 7 |     runs-on: { labels: [windows-latest] }
   |                         ^^^^^^^^^^^^^^ name it: 'windows-2025'
)");
}

TEST_CASE("commands that GitHub took away", "[link]") {
  CHECK(LinkTexts({{"ci.yml", R"(on: push
jobs:
  a:
    runs-on: x
    steps:
      - run: |
          echo hello
          echo "::set-output name=a::b"
      - run: echo "::notice::fine"
)"}},
                  NoPolicy(), NoLimits())
            .report ==
        R"(warning[deprecated-command]: '::set-output' is deprecated and will stop working
  --> ci.yml:8:17
   |
 8 |           echo "::set-output name=a::b"
   |                 ^^^^^^^^^^^^ append to the file $GITHUB_OUTPUT
)");
}

TEST_CASE("conditions that decide nothing", "[link]") {
  CHECK(LinkTexts({{"ci.yml", R"(on: push
jobs:
  a:
    if: true
    runs-on: x
    steps:
      - run: make
        if: ${{ github.ref }} == 'refs/heads/main'
      - run: make
        if: ${{ false }}
      - run: make
        if: github.ref == 'refs/heads/main'
      - run: make
        if: ${{ !cancelled() }}
)"}},
                  With(&LinkRules::live_conditions), NoLimits())
            .report ==
        R"(error[constant-condition]: this condition is always true
  --> ci.yml:4:9
   |
 4 |     if: true
   |         ^^^^ remove it

error[constant-condition]: this condition is always true: text around '${{ }}' makes a string of it
  --> ci.yml:8:13
   |
 8 |         if: ${{ github.ref }} == 'refs/heads/main'
   |             ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ put the whole condition inside '${{ }}'

error[constant-condition]: this condition is always false
   --> ci.yml:10:13
    |
 10 |         if: ${{ false }}
    |             ^^^^^^^^^^^^ remove what it guards
)");
}

TEST_CASE("a rule may warn", "[link]") {
  CHECK(LinkTexts({{"ci.yml", R"(on: push
jobs:
  a:
    runs-on: x
    steps: [{ run: make }]
)"}},
                  With(&LinkRules::concurrency, RuleLevel::kWarning), NoLimits())
            .report ==
        R"(warning[missing-concurrency]: runs of ci.yml for the same branch pile up
  --> ci.yml:1:5
   |
 1 | on: push
   |     ^^^^ add 'concurrency'
)");
}

namespace {

std::string Untrusted(std::string_view on, std::string_view permissions, std::string_view steps) {
  std::string text = "on: ";
  text.append(on).append("\njobs:\n  a:\n    permissions: ").append(permissions);
  text.append("\n    runs-on: x\n    steps:\n").append(steps);
  LinkRules rules = With(&LinkRules::untrusted_checkout);
  rules.untrusted_caches = RuleLevel::kError;
  const std::string report = LinkTexts({{"ci.yml", text}}, rules, NoLimits()).report;
  const std::size_t at = report.find("error[untrusted-");
  return at == std::string::npos ? "" : report.substr(at, report.find(':', at) - at);
}

}  // namespace

TEST_CASE("what a stranger causes takes no code of pull requests", "[link]") {
  for (const char* steps : {
           "      - { uses: actions/checkout@v4, with: { ref: \"refs/pull/${{ "
           "github.event.issue.number }}/merge\" } }\n",
           "      - { uses: actions/checkout@v4, with: { ref: \"${{ "
           "github.event.pull_request.merge_commit_sha }}\" } }\n",
           "      - { uses: actions/checkout@v4, with: { ref: \"${{ "
           "github['event'].pull_request['head'].sha }}\" } }\n",
           "      - { uses: actions/checkout@v4, with: { ref: \"${{ "
           "fromJSON(toJSON(github.event)).pull_request.head.sha }}\" } }\n",
           "      - { uses: actions/checkout@v4, with: { ref: \"${{ steps.pr.outputs.sha }}\" } "
           "}\n",
           "      - { uses: Actions/Checkout@v4, with: { repository: \"${{ "
           "github.event.workflow_run.head_repository.full_name }}\" } }\n",
           "      - run: gh pr checkout 5\n",
           "      - run: gh pr checkout $NUMBER\n",
           "      - run: git fetch origin pull/$NUMBER/head:pr && git checkout pr\n",
           "      - run: git fetch origin +refs/pull/5/merge\n",
           "      - { run: git checkout \"$SHA\", env: { SHA: \"${{ "
           "github.event.pull_request.head.sha }}\" } }\n",
           "      - { run: \"git -C . fetch origin ${SHA}\", env: { SHA: \"${{ github.head_ref "
           "}}\" } }\n",
       }) {
    for (const char* event : {"issue_comment", "pull_request_target", "workflow_run"}) {
      INFO(event << ": " << steps);
      CHECK(Untrusted(event, "{}", steps) == "error[untrusted-checkout]");
    }
    CHECK(Untrusted("pull_request", "{}", steps) == "");
  }
  for (const char* steps : {
           "      - { uses: actions/checkout@v4, with: { ref: \"${{ "
           "github.event.pull_request.base.sha }}\" } }\n",
           "      - { uses: actions/checkout@v4, with: { ref: \"${{ github.sha }}\" } }\n",
           "      - run: gh pr comment 5 --body x\n",
           "      - run: git fetch origin main\n",
       }) {
    INFO(steps);
    CHECK(Untrusted("issue_comment", "{}", steps) == "");
  }
}

TEST_CASE("a job that has rights takes no pull request, whatever starts it", "[link]") {
  const char* checkout = "      - { uses: actions/checkout@v4, with: { ref: refs/pull/1/head } }\n";
  CHECK(Untrusted("schedule", "{ id-token: write }", checkout) == "error[untrusted-checkout]");
  CHECK(Untrusted("workflow_dispatch", "{ contents: write }", checkout) ==
        "error[untrusted-checkout]");
  CHECK(Untrusted("schedule", "{ contents: read }", checkout) == "");
  CHECK(Untrusted("workflow_call", "{ id-token: write }", "      - run: gh pr checkout 1\n") ==
        "error[untrusted-checkout]");
}

TEST_CASE("an artifact of another run is not executed where there are rights", "[link]") {
  const std::string download =
      "      - { uses: actions/download-artifact@v4, with: { run-id: \"${{ "
      "github.event.workflow_run.id }}\" } }\n";
  const auto into = [](std::string_view path) {
    return "      - { uses: actions/download-artifact@v4, with: { run-id: 5, path: " +
           std::string(path) + " } }\n";
  };
  for (const char* run : {"./build.sh", "bash build.sh", "python x.py", "source env", "make",
                          "cat env >> $GITHUB_ENV", "pip install x.whl", "sudo ./x", "bin/tool"}) {
    INFO(run);
    const std::string step = "      - run: " + std::string(run) + "\n";
    CHECK(Untrusted("workflow_run", "{}", download + step) == "error[untrusted-artifact]");
    CHECK(Untrusted("schedule", "{ id-token: write }", download + step) ==
          "error[untrusted-artifact]");
    CHECK(Untrusted("workflow_run", "{}", step) == "");
    CHECK(Untrusted("workflow_run", "{}", into("there") + step) == "");
  }
  CHECK(Untrusted("workflow_run", "{}", into("there") + "      - run: python there/x.py\n") ==
        "error[untrusted-artifact]");
  CHECK(Untrusted("workflow_run", "{}", download + "      - uses: ./mine\n") ==
        "error[untrusted-artifact]");
  CHECK(Untrusted("workflow_run", "{}", "      - run: gh run download 5 && ./x\n") ==
        "error[untrusted-artifact]");
  CHECK(Untrusted("workflow_run", "{}", download + "      - run: cat size\n") == "");
  CHECK(Untrusted("workflow_run", "{}",
                  "      - uses: actions/download-artifact@v4\n      - run: ./x\n") == "");
}

TEST_CASE("what comes from elsewhere is blamed where it comes in", "[link]") {
  LinkRules rules = With(&LinkRules::untrusted_checkout);
  rules.untrusted_caches = RuleLevel::kError;
  CHECK(LinkTexts({{"ci.yml", R"(on: { workflow_run: { workflows: [CI] } }
jobs:
  a:
    permissions: { id-token: write }
    runs-on: x
    steps:
      - uses: actions/cache@v4
      - { uses: actions/download-artifact@v4, with: { run-id: 5 } }
      - run: ./build.sh
)"}},
                  rules, NoLimits())
            .report ==
        R"(error[untrusted-cache]: job 'a' may assume a role, and takes files out of a cache
  --> ci.yml:7:15
   |
 7 |       - uses: actions/cache@v4
   |               ^^^^^^^^^^^^^^^^ make the files here, or take them from a job of this run
   = any job of the branch can write to the cache, whatever code it runs

error[untrusted-artifact]: job 'a' runs what another run left as an artifact, with the rights of this repository
  --> ci.yml:9:14
   |
 9 |       - run: ./build.sh
   |              ^^^^^^^^^^
  ::: ci.yml:1:7
   |
 1 | on: { workflow_run: { workflows: [CI] } }
   |       ^^^^^^^^^^^^ runs with secrets and a token that may write
   = that run may have been of unreviewed code: only read such files as data, or remove the job's rights
)");
}

TEST_CASE("a job that may assume a role takes nothing out of a cache", "[link]") {
  for (const char* step : {"actions/cache@v4", "actions/cache/restore@v4"}) {
    const std::string uses = "      - uses: " + std::string(step) + "\n";
    CHECK(Untrusted("schedule", "{ id-token: write }", uses) == "error[untrusted-cache]");
    CHECK(Untrusted("schedule", "{ contents: read }", uses) == "");
  }
  CHECK(Untrusted("push", "{ id-token: write }",
                  "      - { uses: actions/setup-node@v4, with: { cache: npm } }\n") ==
        "error[untrusted-cache]");
  CHECK(Untrusted("push", "{ id-token: write }", "      - uses: actions/cache/save@v4\n") == "");
}
