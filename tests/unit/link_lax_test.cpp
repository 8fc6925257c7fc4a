#include <catch2/catch.hpp>

#include "tests/unit/link_harness.h"

using namespace wheelwright;

namespace {

// In the manner of hand-written CI: what is unusual and right must not be reported.
constexpr std::string_view kHandWritten = R"(# Owner(s): ["module: ci"]
name: trunk
on:
  push:
    branches: [main, release/*]
    tags: [ciflow/trunk/*]
  workflow_dispatch:
    inputs:
      jobs-to-include:
        description: "Empty = all"
        required: false
        default: ""
        type: string
  schedule:
    - cron: 29 8 * * *  # about 1:29am PDT
concurrency:
  group: ${{ github.workflow }}-${{ github.event.pull_request.number || github.ref_name }}
  cancel-in-progress: true
permissions:
  id-token: write
  contents: read
jobs:
  get-label-type:
    name: get-label-type
    uses: owner/other/.github/workflows/_runner-determinator.yml@3d3c42e5aac5ba805825da76410c181273ba90b1
    if: ${{ (github.event_name != 'schedule' || github.repository == 'a/b') && github.repository_owner == 'a' }}
    with:
      curr_branch: ${{ github.head_ref || github.ref_name }}
  job-filter:
    needs: get-label-type
    if: github.repository_owner == 'a'
    uses: ./.github/workflows/job-filter.yml
    with:
      jobs-to-include: ${{ github.event.inputs.jobs-to-include || '' }}
      minutes: 360
  build:
    if: >-
      ${{
        !failure() &&
        (needs.job-filter.outputs.jobs == '' || contains(needs.job-filter.outputs.jobs, ' x '))
      }}
    needs:
      - get-label-type
      - job-filter
    runs-on: ${{ needs.get-label-type.outputs.label-type }}l-x86
    timeout-minutes: 480
    container:
      image: ${{ contains(github.ref, 'a') && 'a@sha256:0' || null }}
      options: --ipc host
        --group-add video
    strategy:
      fail-fast: false
      matrix:
        families: ${{ fromJSON(needs.job-filter.outputs.jobs) }}
        testing: [ON, OFF]
        include:
          - testing: ON
            extra: 1
    defaults:
      run:
        shell: bash
    steps:
      - uses: actions/checkout@3d3c42e5aac5ba805825da76410c181273ba90b1
        with:
          persist-credentials: false
      - name: Build
        id: build
        continue-on-error: ${{ matrix.testing == 'ON' }}
        timeout-minutes: 15
        env:
          N: ${{ matrix.families.family }}
          PYTHON: 3.12
        run: |
          ./build & echo "pid=${!}" >> "$GITHUB_OUTPUT"
  macos:
    runs-on: macos-m1-stable
    timeout-minutes: 600
    steps:
      - run: make
)";

constexpr std::string_view kCallee = R"(on:
  workflow_call:
    inputs:
      jobs-to-include: { type: string }
      minutes: { required: false, type: number, default: 5 }
    secrets:
      TOKEN: { required: false }
    outputs:
      jobs: { value: "${{ jobs.filter.outputs.jobs }}" }
permissions: {}
jobs:
  filter:
    runs-on: linux
    timeout-minutes: 5
    outputs: { jobs: "${{ steps.filter.outputs.jobs }}" }
    steps:
      - id: filter
        run: make
        env: { JOBS: "${{ toJSON(inputs) }}" }
)";

}  // namespace

TEST_CASE("an ordinary workflow has no findings when policy is off or warns", "[link]") {
  CHECK(LinkTexts({{"trunk.yml", kHandWritten}, {"job-filter.yml", kCallee}}, LinkRules::Lax(),
                  BuiltInLimits())
            .report == "");
}

TEST_CASE("policy asks for more of generated workflows", "[link]") {
  const std::string report = LinkTexts({{"trunk.yml", kHandWritten}, {"job-filter.yml", kCallee}},
                                       LinkRules::Strict(), BuiltInLimits())
                                 .report;
  for (const char* code : {"missing-pin-comment", "missing-checkout-timeout", "missing-job-name",
                           "excess-permission", "unknown-workflow"}) {
    CAPTURE(code);
    CHECK(report.find(code) != std::string::npos);
  }
}
