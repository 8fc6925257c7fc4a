#include "generator/output/change_summary.h"

#include <catch2/catch.hpp>
#include <string>

#include "generator/yaml/read.h"

namespace wheelwright {
namespace {

class Files {
 public:
  const Node* Read(std::string text) {
    if (text.empty()) return nullptr;
    Diagnostics diagnostics;
    const Node* root =
        ReadYaml(sources_, sources_.Add("x.yml", std::move(text)), arena_, diagnostics).root;
    REQUIRE(root != nullptr);
    return root;
  }
  void Add(std::string_view name, std::string before, std::string after) {
    pairs_.push_back({name, Read(std::move(before)), Read(std::move(after))});
  }
  std::string Summary(std::size_t most = 20, bool color = false) {
    return Render(SummarizeChanges(pairs_), most, color);
  }

 private:
  SourceManager sources_;
  Arena arena_;
  std::vector<WorkflowPair> pairs_;
};

TEST_CASE("Comments, order and layout are no change") {
  Files files;
  files.Add("a.yml", "on: {push: , pull_request: }\njobs: {a: {x: 1}}\n",
            "# New\njobs:\n  a: {x: 1} # why\non:\n  pull_request:\n  push:\n");
  CHECK(files.Summary() == "");
}

TEST_CASE("Jobs that came and went are counted by their first word") {
  std::string jobs = "jobs:\n";
  for (int i = 0; i < 20; ++i) {
    for (const std::string word : {"build", "test", "promote"}) {
      jobs += "  " + word + "_" + std::to_string(i) + ": {x: 1}\n";
    }
  }
  Files files;
  files.Add("release_a.yml", "", jobs);
  files.Add("old.yml", "jobs: {resolve: {}, build: {}, keep: {}}\n", "jobs: {keep: {}}\n");
  CHECK(files.Summary() ==
        "  + 60 jobs  release_a.yml: 20 build, 20 test, 20 promote\n"
        "  - 2 jobs   old.yml: resolve, build\n");
}

TEST_CASE("A change of many files or jobs is said once") {
  Files files;
  const auto workflow = [](std::string_view options, std::string_view sha, std::string_view extra) {
    return "on:\n  workflow_dispatch:\n    inputs:\n      family:\n        options: [" +
           std::string(options) +
           "]\njobs:\n  a:\n    steps:\n      - name: Checkout\n        uses: x@" +
           std::string(sha) + "\n      - run: |\n          a\n          " + std::string(sha) +
           "\n  b:\n    needs: a\n    steps:\n      - name: Checkout\n        uses: x@" +
           std::string(sha) + "\n" + std::string(extra);
  };
  files.Add("1.yml", workflow("f1, f2", "1", ""), workflow("f1, f3", "2", ""));
  files.Add("2.yml", workflow("f1, f2", "1", ""), workflow("f1, f3", "2", "permissions: {}\n"));
  CHECK(files.Summary() ==
        "  ~ 4 jobs   steps['Checkout'].uses: x@1 -> x@2\n"
        "  ~ 2 jobs   steps[1].run: - 1 + 2\n"
        "  ~ 2 files  on.workflow_dispatch.inputs.family.options: + f3 - f2\n"
        "  ~ 1 file   permissions: added\n");
  CHECK(files.Summary(1, true) ==
        "  \x1b[33m~\x1b[0m 4 jobs  steps['Checkout'].uses: x@1 -> x@2\n  and 3 more changes\n");
}

TEST_CASE("Values are shown short") {
  Files files;
  files.Add("a.yml",
            "a: 1\nb: x\nc: [{d: 1}]\ne: [1, 2]\nf: {}\ng: " + std::string(50, 'x') + "\nz: 1\n",
            "a: [1]\nb:\nc: []\ne: [2, 1]\nf: ''\ng: " + std::string(50, 'y') + "\nh: true\n");
  CHECK(files.Summary() ==
        "  ~ 1 file  a: 1 -> 1 item\n"
        "  ~ 1 file  b: x -> null\n"
        "  ~ 1 file  c: 1 item -> 0 items\n"
        "  ~ 1 file  e: another order or count\n"
        "  ~ 1 file  f: 0 entries -> ''\n"
        "  ~ 1 file  g: " +
            std::string(40, 'x') + "... -> " + std::string(40, 'y') +
            "...\n"
            "  ~ 1 file  z: removed\n"
            "  ~ 1 file  h: added, true\n");
}

TEST_CASE("Of a long value the part that differs is shown") {
  Files files;
  const std::string start =
      "a: ${{ github.repository_owner == 'owner' && github.event_name != 'x' && ";
  files.Add("a.yml", start + "'small-runner' || 'other' }}\n",
            start + "'large-runner' || 'other' }}\n");
  CHECK(files.Summary() == "  ~ 1 file  a: ...'small-runner'... -> ...'large-runner'...\n");
}

TEST_CASE("Of a script the lines that differ are shown") {
  Files files;
  files.Add("a.yml", "a: |\n  one\n  make\n  three\n", "a: |\n  one\n  make -j2\n  three\n");
  files.Add("b.yml", "a: |\n  x\n", "a: |\n  1\n  2\n  3\n  4\n");
  files.Add("c.yml", "a: |\n  x\n  y\n", "a: |\n  x\n\n  y\n");
  CHECK(files.Summary() ==
        "  ~ 1 file  a: - make + make -j2\n"
        "  ~ 1 file  a: - x + 1 + 2 + 3 and 1 more line\n"
        "  ~ 1 file  a: blank lines changed\n");
}

TEST_CASE("Pins differ in their versions, and in their commits where a tag moved") {
  Files files;
  const std::string ones(40, '1'), twos(40, '2'), long_ones(64, '1'), long_twos(64, '2');
  files.Add("a.yml", "uses: a/b@" + ones + " # v1.0\nimage: x/y@sha256:" + long_ones + " # 9.1\n",
            "uses: a/b@" + twos + " # v2.0\nimage: x/y@sha256:" + long_twos + " # 9.2\n");
  files.Add("b.yml", "uses: a/b@" + ones + " # v1.0\n", "uses: a/b@" + twos + " # v1.0\n");
  CHECK(files.Summary() ==
        "  ~ 1 file  uses: a/b v1.0 -> v2.0\n"
        "  ~ 1 file  image: x/y 9.1 -> 9.2\n"
        "  ~ 1 file  uses: a/b 1111111 -> 2222222\n");
}

}  // namespace
}  // namespace wheelwright
