#include <catch2/catch.hpp>
#include <set>

#include "generator/link/reduce.h"
#include "tests/unit/workflow_reading.h"

using namespace wheelwright;

namespace {

struct Reading : WorkflowReading {
  ReducedNeeds reduced;

  explicit Reading(std::string text)
      : WorkflowReading(std::move(text)), reduced(ReduceNeeds(workflow, arena)) {}

  // "b: a; c: b"
  std::string Needs() {
    std::string text;
    for (const Job& job : workflow.jobs) {
      if (job.needs.empty()) continue;
      if (!text.empty()) text += "; ";
      text += std::string(job.id) + ":";
      for (const Need& need : job.needs) text += " " + std::string(need.id);
    }
    return text;
  }
};

}  // namespace

TEST_CASE("a need that another need implies is taken out", "[link]") {
  Reading reading(
      "jobs: { a: {}, b: { needs: a }, c: { needs: [a, b] }, d: { needs: [c, a, b] } }");
  CHECK(reading.Needs() == "b: a; c: b; d: c");
  CHECK(reading.reduced.edges_before == 6);
  CHECK(reading.reduced.edges_after == 3);
  const Node* needs = Find(Find(Find(reading.workflow.root, "jobs"), "d"), "needs");
  CHECK(needs->is_string());
}

TEST_CASE("needs side by side stay", "[link]") {
  Reading reading(
      "jobs: { s: {}, a: { needs: s }, b: { needs: s }, c: { needs: [s, a, b] }, d: { needs: [a, "
      "b] } }");
  CHECK(reading.Needs() == "a: s; b: s; c: a b; d: a b");
}

TEST_CASE("a need that the job reads stays", "[link]") {
  const std::string head = "jobs: { a: {}, b: { needs: a }, c: { needs: [a, b], ";
  for (const char* use :
       {"if: needs.a.result == 'success'", "if: \"${{ needs['a'].result }}\"",
        "with: { x: \"1 ${{ NEEDS.A.outputs.y }}\" }", "env: { x: \"${{ toJSON(needs) }}\" }",
        "if: \"contains(needs.*.result, 'failure')\"",
        "steps: [{ run: \"${{ needs[ 'a' ].outputs.x }}\" }]",
        "steps: [{ if: \"needs[format('a')].result\" }]"}) {
    CAPTURE(use);
    CHECK(Reading(head + use + " } }").Needs() == "b: a; c: a b");
  }
  for (const char* use : {"if: needs.b.result == 'success'", "name: needs.a", "run: it needs a",
                          "env: { x: \"${{ needs.a1.outputs.y }} ${{ mineeds.a }}\" }"}) {
    CAPTURE(use);
    CHECK(Reading(head + use + " } }").Needs() == "b: a; c: b");
  }
}

TEST_CASE("what cannot be reduced is left alone", "[link]") {
  for (const char* text :
       {"jobs: { a: { needs: [c, b] }, b: { needs: a }, c: {} }",
        "jobs: { a: {}, b: { needs: [a, x] } }", "jobs: { a: {}, b: { needs: [a, A] } }",
        "jobs: { a: {}, b: {}, c: { needs: [a, b] } }", "name: nothing"}) {
    CAPTURE(text);
    Reading reading(text);
    CHECK(reading.workflow.root == reading.root);
  }
}

TEST_CASE("reduction keeps every job's ancestors", "[link]") {
  // Jobs of a triangle: each needs every one before it that a fixed rule picks.
  constexpr std::size_t kJobs = 60;
  std::string text = "jobs:\n";
  for (std::size_t i = 0; i < kJobs; ++i) {
    text += "  j" + std::to_string(i) + ":\n    needs: [";
    for (std::size_t j = 0; j < i; ++j) {
      if ((i * 7 + j * 13) % 5 < 2) text += "j" + std::to_string(j) + ", ";
    }
    text += "]\n";
  }
  Reading reading(text);
  Workflow before, after;
  ReadWorkflow(*reading.root, before);
  ReadWorkflow(*reading.workflow.root, after);
  const auto ancestors = [](const Workflow& workflow) {
    std::vector<std::set<std::int32_t>> all(workflow.jobs.size());
    for (std::size_t i = 0; i < workflow.jobs.size(); ++i) {
      for (const Need& need : workflow.jobs[i].needs) {
        const std::int32_t index = workflow.JobIndex(need.id);
        all[i].insert(index);
        const auto& below = all[static_cast<std::size_t>(index)];
        all[i].insert(below.begin(), below.end());
      }
    }
    return all;
  };
  CHECK(ancestors(after) == ancestors(before));
  CHECK(reading.reduced.edges_after < reading.reduced.edges_before / 3);
  // Nothing more can go.
  Arena arena;
  CHECK(ReduceNeeds(after, arena).edges_after == reading.reduced.edges_after);
}

TEST_CASE("a reduced tree shares what did not change", "[link]") {
  Reading reading("name: CI\njobs: { a: {}, b: { needs: a }, c: { needs: [a, b] } }");
  const Node* jobs = Find(reading.workflow.root, "jobs");
  const Node* before = Find(reading.root, "jobs");
  CHECK(jobs != before);
  CHECK(Find(jobs, "b") == Find(before, "b"));
  CHECK(Find(jobs, "c") != Find(before, "c"));
  CHECK(Find(reading.workflow.root, "name") == reading.workflow.name.value);
}
