#include <catch2/catch.hpp>

#include "generator/expression/github_text.h"
#include "generator/link/rules.h"
#include "generator/workflow/matrix_legs.h"
#include "generator/yaml/read.h"
#include "tests/unit/link_harness.h"

using namespace wheelwright;

namespace {

// Calls one.yml and two.yml, in this order or side by side.
constexpr std::string_view kTwoCalls = R"(on: push
jobs:
  a:
    uses: ./.github/workflows/one.yml
  b:
    uses: ./.github/workflows/two.yml
)";

// Two jobs of its own, one behind the other.
constexpr std::string_view kTwoJobs = R"(on: workflow_call
jobs:
  a:
    runs-on: x
    steps: [{ run: make }]
  b:
    needs: a
    runs-on: x
    steps: [{ run: make }]
)";

Limits With(std::size_t Limits::* limit, std::size_t value, std::size_t warn_at_percent = 0) {
  Limits limits = NoLimits();
  limits.*limit = value;
  limits.warn_at_percent = warn_at_percent;
  return limits;
}

// What calls a workflow that calls another.
auto LinkChain(const Limits& limits) {
  return LinkTexts({{"ci.yml", kTwoCalls},
                    {"one.yml", R"(on: workflow_call
jobs:
  a:
    uses: ./.github/workflows/two.yml
)"},
                    {"two.yml", kTwoJobs}},
                   NoPolicy(), limits);
}

}  // namespace

TEST_CASE("text with an expression counts as a whole", "[link]") {
  CHECK(LinkTexts({{"ci.yml", R"(on: push
jobs:
  a:
    runs-on: x
    steps:
      - run: make all of it, and a little more than that, without an expression
      - run: make all of it for ${{ github.ref }}, and more
      - run: ${{ github.ref }}
      - run: make
        if: github.ref == 'refs/heads/a-long-name-of-a-branch'
)"}},
                  NoPolicy(), With(&Limits::expression_bytes, 40))
            .report ==
        R"(error[expression-too-long]: this expression has 54 bytes, but GitHub accepts 40
  --> ci.yml:7:14
   |
 7 |       - run: make all of it for ${{ github.ref }}, and more
   |              ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
   = a text with a '${{ }}' anywhere is one expression as a whole: pass values in 'env'

error[expression-too-long]: this expression has 50 bytes, but GitHub accepts 40
   --> ci.yml:10:13
    |
 10 |         if: github.ref == 'refs/heads/a-long-name-of-a-branch'
    |             ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
    = a text with a '${{ }}' anywhere is one expression as a whole: pass values in 'env'
)");
}

TEST_CASE("deep documents", "[link]") {
  CHECK(LinkTexts({{"ci.yml", R"(on: push
jobs:
  a:
    runs-on: x
    strategy: { matrix: { a: [[1]] } }
    steps: [{ run: make }]
)"}},
                  NoPolicy(), With(&Limits::document_depth, 5))
            .report ==
        R"(error[too-deep]: this is 7 levels deep, but GitHub accepts 5
  --> ci.yml:5:31
   |
 5 |     strategy: { matrix: { a: [[1]] } }
   |                               ^
)");
}

TEST_CASE("inputs of a dispatch", "[link]") {
  CHECK(LinkTexts({{"ci.yml", R"(on: { workflow_dispatch: { inputs: { a: {}, b: {} } } }
jobs:
  a:
    runs-on: x
    steps: [{ run: make }]
)"}},
                  NoPolicy(), With(&Limits::dispatch_inputs, 1))
            .report ==
        R"(error[too-many-inputs]: ci.yml can be dispatched with 2 inputs, but GitHub accepts 1
  --> ci.yml:1:7
   |
 1 | on: { workflow_dispatch: { inputs: { a: {}, b: {} } } }
   |       ^^^^^^^^^^^^^^^^^
)");
}

TEST_CASE("legs of a matrix", "[link]") {
  CHECK(LinkTexts({{"ci.yml", R"(on: push
jobs:
  a:
    strategy: { matrix: { a: [1, 2], b: [3, 4] } }
    runs-on: x
    steps: [{ run: make }]
  b:
    strategy: { matrix: { a: [1, 2], b: [3, 4], exclude: [{ a: 1, b: 3 }] } }
    runs-on: x
    steps: [{ run: make }]
)"}},
                  NoPolicy(), With(&Limits::matrix_legs, 3))
            .report ==
        R"(error[matrix-too-large]: the matrix of job 'a' makes 4 jobs, but GitHub accepts 3
  --> ci.yml:4:5
   |
 4 |     strategy: { matrix: { a: [1, 2], b: [3, 4] } }
   |     ^^^^^^^^
)");
}

TEST_CASE("levels of workflows", "[link]") {
  CHECK(
      LinkTexts({{"ci.yml", kTwoCalls},
                 {"one.yml", R"(on: workflow_call
jobs:
  a:
    uses: ./.github/workflows/two.yml
)"},
                 {"two.yml", kTwoJobs}},
                NoPolicy(), With(&Limits::reusable_levels, 2))
          .report ==
      R"(error[too-many-levels]: with what it calls, ci.yml makes 3 levels of workflows, but GitHub accepts 2
  --> ci.yml:4:11
   |
 4 |     uses: ./.github/workflows/one.yml
   |           ^^^^^^^^^^^^^^^^^^^^^^^^^^^
   = ci.yml -> one.yml -> two.yml
)");
}

TEST_CASE("different reusable workflows", "[link]") {
  CHECK(LinkChain(With(&Limits::reusable_files, 1)).report ==
        R"(error[too-many-workflows]: ci.yml reaches 2 reusable workflows, but GitHub accepts 1
  --> ci.yml:6:11
   |
 6 |     uses: ./.github/workflows/two.yml
   |           ^^^^^^^^^^^^^^^^^^^^^^^^^^^
   = dispatch some of them as runs of their own, or split the file
)");
}

TEST_CASE("jobs of a run", "[link]") {
  CHECK(LinkChain(With(&Limits::needs_jobs, 5)).report ==
        R"(error[too-many-jobs]: a run of ci.yml has 7 jobs, but GitHub accepts 5
  --> ci.yml:2:1
   |
 2 | jobs:
   | ^^^^
   = dispatch some of them as runs of their own, or split the file
)");
}

TEST_CASE("edges of the graph of a run", "[link]") {
  CHECK(LinkChain(With(&Limits::needs_edges, 1)).report ==
        R"(error[too-many-needs]: a run of ci.yml has 2 entries in 'needs', but GitHub accepts 1
  --> ci.yml:2:1
   |
 2 | jobs:
   | ^^^^
   = let one job stand for many, or split the file
)");
}

TEST_CASE("near a limit", "[link]") {
  CHECK(LinkChain(With(&Limits::reusable_files, 2, 80)).report ==
        R"(warning[near-limit]: ci.yml reaches 2 reusable workflows, near GitHub's limit of 2
  --> ci.yml:6:11
   |
 6 |     uses: ./.github/workflows/two.yml
   |           ^^^^^^^^^^^^^^^^^^^^^^^^^^^
   = dispatch some of them as runs of their own, or split the file
)");
}

TEST_CASE("a file's size is checked once it is emitted", "[link]") {
  SourceManager sources;
  Arena arena;
  Diagnostics diagnostics;
  const FileId id = sources.Add("ci.yml", "on: push\njobs: {}\n");
  Workflow workflow;
  ReadWorkflow(*ReadYaml(sources, id, arena, diagnostics).root, workflow);
  const InterfaceSet interfaces;
  const Limits limits = With(&Limits::workflow_bytes, 512'000, 80);
  const LinkContext context{sources, interfaces, limits, NoPolicy()};
  CheckSize({"ci.yml", workflow}, 409'599, context, diagnostics);
  CHECK(diagnostics.empty());
  CheckSize({"ci.yml", workflow}, 512'001, context, diagnostics);
  CHECK(Render(diagnostics, sources, ReportFormat::kText, false) ==
        R"(error[file-too-large]: ci.yml has 512,001 bytes, but GitHub accepts 512,000
  --> ci.yml:2:1
   |
 2 | jobs: {}
   | ^^^^
   = split it: called workflows count by themselves
)");
}

TEST_CASE("the length of an expression is that of GitHub's format() call", "[link]") {
  CHECK(GithubTexts().Of("no expression").length == 0);
  CHECK(GithubTexts().Of("${{ github.ref }}").length == std::string_view("github.ref").size());
  CHECK(GithubTexts().Of("a ${{ b }} c ${{ d }}").length ==
        std::string_view("format('a {0} c {1}', b, d)").size());
  CHECK(GithubTexts().Of("it's {a} ${{ b }}").length ==
        std::string_view("format('it''s {{a}} {0}', b)").size());
  CHECK(GithubTexts().Of("${{ '}}' }}").length == std::string_view("'}}'").size());
}

TEST_CASE("legs of a matrix follow GitHub's rules", "[link]") {
  struct Case {
    const char* matrix;
    std::size_t legs;
  };
  // The last two are the examples of the documentation.
  for (
      const Case& one : std::initializer_list<Case>{
          {"{ a: [1, 2, 3] }", 3},
          {"{ a: [1, 2], b: [x, y, z] }", 6},
          {"{ include: [{ a: 1 }, { a: 2 }] }", 2},
          {"{ a: [1, 2], include: [{ a: 1, b: x }, { a: 3 }] }", 3},
          {"{ a: [1, 2], exclude: [{ a: 3 }] }", 2},
          {"{ a: [1, 2], b: [1, 2], exclude: [{ b: 1 }] }", 2},
          {"{ a: \"${{ fromJSON(x) }}\", b: [1, 2] }", 0},
          {"{ a: [1, 2], include: \"${{ fromJSON(x) }}\" }", 0},
          {"{ a: [] }", 0},
          {"{ fruit: [apple, pear], animal: [cat, dog], include: [{ color: green }, { color: pink, "
           "animal: cat },"
           " { fruit: apple, shape: circle }, { fruit: banana }, { fruit: banana, animal: cat }] }",
           6},
          {"{ os: [macos, windows], version: [12, 14, 16], environment: [staging, production], "
           "exclude:"
           " [{ os: macos, version: 12, environment: production }, { os: windows, version: 16 }] }",
           9},
      }) {
    CAPTURE(one.matrix);
    SourceManager sources;
    Arena arena;
    Diagnostics diagnostics;
    const FileId id = sources.Add("matrix", one.matrix);
    CHECK(MatrixLegs(*ReadYaml(sources, id, arena, diagnostics).root) == one.legs);
  }
}

TEST_CASE("what a file uses of the limits", "[link]") {
  const LinkedSet set = LinkTexts({{"ci.yml", R"(on: { workflow_dispatch: { inputs: { x: {} } } }
jobs:
  a:
    uses: ./.github/workflows/one.yml
  b:
    needs: a
    runs-on: x
    strategy: { matrix: { a: [1, 2, 3] } }
    steps: [{ run: "${{ github.ref }}" }]
)"},
                                   {"one.yml", R"(on: workflow_call
jobs:
  a:
    runs-on: x
    steps: [{ run: make }]
  b:
    needs: a
    uses: ./.github/workflows/two.yml
)"}});
  const FileUsage& usage = set.usages[0];
  CHECK(usage.jobs == 2);
  CHECK(usage.needs_edges == 1);
  CHECK(usage.run_jobs == 4);
  CHECK(usage.run_edges == 2);
  CHECK(usage.reusable_files == 2);
  CHECK(usage.reusable_levels == 3);
  CHECK(usage.dispatch_inputs == 1);
  CHECK(usage.longest_expression == 10);
  CHECK(usage.largest_matrix == 3);
  CHECK(usage.own.has_value());
}
