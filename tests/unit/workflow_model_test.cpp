#include <catch2/catch.hpp>

#include "tests/unit/workflow_reading.h"

using namespace wheelwright;

TEST_CASE("a workflow's keys are found where they are written", "[workflow]") {
  WorkflowReading reading(R"(name: CI
on:
  push: { branches: [main] }
  workflow_call:
    inputs:
      family: { type: string, required: true }
      dry_run: { type: boolean, default: false }
    secrets:
      TOKEN: { required: true }
    outputs:
      version: { value: "${{ jobs.build.outputs.version }}" }
  workflow_dispatch:
    inputs:
      kind: { type: choice, options: [a, b] }
permissions: { contents: read }
jobs:
  setup:
    runs-on: ubuntu-24.04
    timeout-minutes: 5
    steps:
      - uses: actions/checkout@v4
        with: { persist-credentials: false }
      - id: version
        run: echo hello
  build:
    needs: setup
    uses: ./.github/workflows/build.yml
    with: { family: gfx942 }
  test:
    needs: [setup, build]
    strategy: { matrix: { a: [1, 2] } }
    runs-on: self-hosted
    steps: []
)");
  const Workflow& workflow = reading.workflow;
  CHECK(workflow.name.text() == "CI");
  REQUIRE(workflow.events.size() == 3);
  CHECK(workflow.events[0].name == "push");
  REQUIRE(workflow.call_inputs.size() == 2);
  CHECK(workflow.call_inputs[0].required);
  CHECK(workflow.call_inputs[1].type == InputType::kBoolean);
  CHECK(workflow.call_inputs[1].default_value->text == "false");
  REQUIRE(workflow.call_secrets.size() == 1);
  CHECK(workflow.call_secrets[0].required);
  REQUIRE(workflow.call_outputs.size() == 1);
  CHECK(workflow.call_outputs[0].value->text == "${{ jobs.build.outputs.version }}");
  REQUIRE(workflow.dispatch_inputs.size() == 1);
  CHECK(workflow.dispatch_inputs[0].options->items.size() == 2);
  CHECK(workflow.FindCallInput("FAMILY") == &workflow.call_inputs[0]);

  REQUIRE(workflow.jobs.size() == 3);
  CHECK(workflow.FindJob("Build") == &workflow.jobs[1]);
  CHECK(workflow.FindJob("nothing") == nullptr);
  CHECK(workflow.JobIndex("test") == 2);
  const Job& setup = *workflow.FindJob("setup");
  CHECK_FALSE(setup.is_call());
  CHECK(setup.needs.empty());
  CHECK(setup.timeout.text() == "5");
  REQUIRE(setup.steps.size() == 2);
  CHECK(setup.steps[0].uses.text() == "actions/checkout@v4");
  CHECK(setup.steps[1].id.text() == "version");
  const Job& build = *workflow.FindJob("build");
  CHECK(build.is_call());
  REQUIRE(build.needs.size() == 1);
  CHECK(build.needs[0].id == "setup");
  const Job& test = *workflow.FindJob("test");
  CHECK(test.needs.size() == 2);
  CHECK(test.matrix);
}

TEST_CASE("a view is filled anew for each file", "[workflow]") {
  WorkflowReading reading("on: [push, pull_request]\njobs: { a: { runs-on: x } }\n");
  CHECK(reading.workflow.events.size() == 2);
  const FileId file = reading.sources.Add("other.yml", "on: push\njobs: {}\n");
  const Document other = ReadYaml(reading.sources, file, reading.arena, reading.diagnostics);
  ReadWorkflow(*other.root, reading.workflow);
  CHECK(reading.workflow.events.size() == 1);
  CHECK(reading.workflow.jobs.empty());
  CHECK(reading.workflow.FindJob("a") == nullptr);
}

TEST_CASE("what is no workflow gives an empty view", "[workflow]") {
  WorkflowReading reading("jobs: [1, { a: b }]\non: 3\n");
  CHECK(reading.workflow.jobs.empty());
  CHECK(reading.workflow.events.empty());
}
