// Publication as an edge: `publishes` and `installs`.
#include <catch2/catch.hpp>

#include "tests/unit/link_harness.h"

using namespace wheelwright;

namespace {

constexpr std::string_view kUpload = R"(on: workflow_call
jobs:
  build:
    runs-on: x
    steps: [{ run: make }]
  upload:
    needs: build
    publishes: staging
    runs-on: x
    steps: [{ run: make upload }]
)";

constexpr std::string_view kTest = R"(on: [workflow_call, workflow_dispatch]
jobs:
  test:
    installs: staging
    runs-on: x
    steps: [{ run: make test }]
)";

}  // namespace

TEST_CASE("jobs that install come after those that publish", "[link]") {
  CHECK(LinkText(R"(on: push
jobs:
  build:
    publishes: [wheels, docs]
    runs-on: x
    steps: [{ run: make }]
  between:
    needs: build
    runs-on: x
    steps: [{ run: make }]
  test:
    needs: between
    installs: wheels
    runs-on: x
    steps: [{ run: make }]
  both:
    publishes: image
    installs: image
    runs-on: x
    steps: [{ run: make }]
)") == "");
}

TEST_CASE("a job that installs and does not wait", "[link]") {
  CHECK(
      LinkText(R"(on: push
jobs:
  build:
    publishes: wheels
    runs-on: x
    steps: [{ run: make }]
  other:
    publishes: wheels
    runs-on: x
    steps: [{ run: make }]
  test:
    needs: other
    installs: wheels
    runs-on: x
    steps: [{ run: make }]
)") ==
      R"(error[unordered-install]: job 'test' installs 'wheels', and does not come after job 'build', which publishes it
   --> ci.yml:13:15
    |
 13 |     installs: wheels
    |               ^^^^^^ add 'build' to its needs
   ::: ci.yml:4:16
    |
  4 |     publishes: wheels
    |                ^^^^^^ published here
)");
}

TEST_CASE("a job that installs before the one that publishes", "[link]") {
  CHECK(
      LinkText(R"(on: push
jobs:
  test:
    installs: wheels
    runs-on: x
    steps: [{ run: make }]
  build:
    needs: test
    publishes: wheels
    runs-on: x
    steps: [{ run: make }]
)") ==
      R"(error[unordered-install]: job 'test' installs 'wheels', and does not come after job 'build', which publishes it
  --> ci.yml:4:15
   |
 4 |     installs: wheels
   |               ^^^^^^
  ::: ci.yml:9:16
   |
 9 |     publishes: wheels
   |                ^^^^^^ published here
   = job 'build' comes after it
)");
}

TEST_CASE("what nobody publishes", "[link]") {
  CHECK(LinkText(R"(on: workflow_dispatch
jobs:
  build:
    publishes: wheels
    runs-on: x
    steps: [{ run: make }]
  test:
    needs: build
    installs: weels
    runs-on: x
    steps: [{ run: make }]
)") == R"(error[unknown-publication]: job 'test' installs 'weels', which no job publishes
  --> ci.yml:9:15
   |
 9 |     installs: weels
   |               ^^^^^ did you mean 'wheels'?
)");
  CHECK(LinkText(R"(on: workflow_dispatch
jobs:
  test:
    installs: wheels
    runs-on: x
    steps: [{ run: make }]
)") == R"(error[unknown-publication]: job 'test' installs 'wheels', which no job publishes
  --> ci.yml:4:15
   |
 4 |     installs: wheels
   |               ^^^^^^
   = no job has the key 'publishes'
)");
}

TEST_CASE("publication and installation in called workflows", "[link]") {
  CHECK(LinkTexts({{"ci.yml", R"(on: push
jobs:
  upload:
    uses: ./.github/workflows/upload.yml
  test:
    needs: upload
    uses: ./.github/workflows/test.yml
)"},
                   {"upload.yml", kUpload},
                   {"test.yml", kTest}})
            .report == "");
  CHECK(
      LinkTexts({{"ci.yml", R"(on: push
jobs:
  upload:
    uses: ./.github/workflows/upload.yml
  test:
    uses: ./.github/workflows/test.yml
)"},
                 {"upload.yml", kUpload},
                 {"test.yml", kTest}})
          .report ==
      R"(error[unordered-install]: job 'test' installs 'staging', and does not come after job 'upload', which publishes it
  --> ci.yml:6:11
   |
 6 |     uses: ./.github/workflows/test.yml
   |           ^^^^^^^^^^^^^^^^^^^^^^^^^^^^ add 'upload' to its needs
  ::: upload.yml:8:16
   |
 8 |     publishes: staging
   |                ^^^^^^^ published here, by upload.yml job 'upload'
   = installed by test.yml job 'test'
)");
}

TEST_CASE("a run in which nobody publishes", "[link]") {
  // A person who starts test.yml names what an earlier run has published.
  CHECK(LinkTexts({{"upload.yml", kUpload}, {"test.yml", kTest}}).report == "");
  CHECK(
      LinkTexts({{"nightly.yml", R"(on: { schedule: [{ cron: 0 4 * * * }] }
jobs:
  call:
    uses: ./.github/workflows/test.yml
)"},
                 {"upload.yml", kUpload},
                 {"test.yml", kTest}})
          .report ==
      R"(error[unordered-install]: job 'call' installs 'staging', which no job of its run publishes
  --> nightly.yml:4:11
   |
 4 |     uses: ./.github/workflows/test.yml
   |           ^^^^^^^^^^^^^^^^^^^^^^^^^^^^
   = installed by test.yml job 'test'
   = upload.yml publishes it; call that here, or start this run by its 'workflow_run'
)");
}

TEST_CASE("values of publishes and installs", "[link]") {
  CHECK(LinkText(R"(on: push
jobs:
  build:
    publishes: { wheels: true }
    installs: ["${{ inputs.name }}"]
    runs-on: x
    steps: [{ run: make }]
)") == R"(error[wrong-kind]: 'publishes' takes a name or a list of names
  --> ci.yml:4:16
   |
 4 |     publishes: { wheels: true }
   |                ^

error[wrong-kind]: 'installs' takes a name or a list of names
  --> ci.yml:5:16
   |
 5 |     installs: ["${{ inputs.name }}"]
   |                ^^^^^^^^^^^^^^^^^^^^
   = names are compared before anything runs
)");
}
