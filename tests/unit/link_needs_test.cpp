#include <catch2/catch.hpp>

#include "tests/unit/link_harness.h"

using namespace wheelwright;

TEST_CASE("needs that are jobs are fine", "[link]") {
  CHECK(LinkTexts({{"ci.yml", R"(on: push
jobs:
  a:
    runs-on: x
    steps: [{ run: make }]
  b:
    needs: a
    runs-on: x
    steps: [{ run: make }]
  c:
    needs: [A, b]
    runs-on: x
    steps: [{ run: make }]
)"}},
                  NoPolicy(), NoLimits())
            .report == "");
}

TEST_CASE("a need that is no job", "[link]") {
  CHECK(LinkTexts({{"ci.yml", R"(on: push
jobs:
  build:
    runs-on: x
    steps: [{ run: make }]
  test:
    needs: biuld
    runs-on: x
    steps: [{ run: make }]
  promote:
    needs: [build, nothing]
    runs-on: x
    steps: [{ run: make }]
)"}},
                  NoPolicy(), NoLimits())
            .report ==
        R"(error[unknown-need]: job 'test' needs 'biuld', which is no job of this workflow
  --> ci.yml:7:12
   |
 7 |     needs: biuld
   |            ^^^^^ did you mean 'build'?

error[unknown-need]: job 'promote' needs 'nothing', which is no job of this workflow
   --> ci.yml:11:20
    |
 11 |     needs: [build, nothing]
    |                    ^^^^^^^
)");
}

TEST_CASE("a job cannot need itself", "[link]") {
  CHECK(LinkTexts({{"ci.yml", R"(on: push
jobs:
  a:
    runs-on: x
    steps: [{ run: make }]
  b:
    needs: [a, b]
    runs-on: x
    steps: [{ run: make }]
)"}},
                  NoPolicy(), NoLimits())
            .report ==
        R"(error[needs-itself]: job 'b' needs itself
  --> ci.yml:7:16
   |
 7 |     needs: [a, b]
   |                ^
)");
}

TEST_CASE("a need stands once", "[link]") {
  CHECK(LinkTexts({{"ci.yml", R"(on: push
jobs:
  a:
    runs-on: x
    steps: [{ run: make }]
  b:
    needs: [a, A]
    runs-on: x
    steps: [{ run: make }]
)"}},
                  NoPolicy(), NoLimits())
            .report ==
        R"(error[duplicate-need]: job 'b' needs 'A' twice
  --> ci.yml:7:16
   |
 7 |     needs: [a, A]
   |                ^
  ::: ci.yml:7:13
   |
 7 |     needs: [a, A]
   |             ^ first here
)");
}

TEST_CASE("jobs cannot need each other in a circle", "[link]") {
  CHECK(LinkTexts({{"ci.yml", R"(on: push
jobs:
  start:
    runs-on: x
    steps: [{ run: make }]
  a:
    needs: [start, c]
    runs-on: x
    steps: [{ run: make }]
  b:
    needs: a
    runs-on: x
    steps: [{ run: make }]
  c:
    needs: b
    runs-on: x
    steps: [{ run: make }]
)"}},
                  NoPolicy(), NoLimits())
            .report ==
        R"(error[needs-cycle]: jobs need each other in a circle: a -> c -> b -> a
   --> ci.yml:11:12
    |
 11 |     needs: a
    |            ^
)");
}
