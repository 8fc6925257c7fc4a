// On which machines, and in which environments, jobs have a domain's credentials.
#include <fmt/format.h>

#include <catch2/catch.hpp>
#include <string>

#include "tests/unit/link_harness.h"

using namespace wheelwright;

namespace {

constexpr std::string_view kRunnerDomains = R"(domains:
  ci:
    doc: Anybody
    roles: ["arn:aws:iam::1:role/ci"]
    buckets: []
    environments: []
    triggers: [pull_request, workflow_dispatch]
  nightly:
    doc: Once a day
    roles: ["arn:aws:iam::1:role/nightly"]
    buckets: []
    environments: [release-nightly, release-index]
    triggers: [workflow_dispatch]
  stable:
    doc: By hand
    roles: ["arn:aws:iam::1:role/stable"]
    buckets: []
    environments: [release-stable]
    triggers: [workflow_dispatch]
runners:
  fresh: { domains: [ci, nightly, stable], ephemeral: true, why: x }
  vault: { domains: [stable], ephemeral: false, why: x }
)";

std::string LinkOnRunners(std::initializer_list<LinkedFile> files) {
  return LinkTexts(files, NoPolicy(), NoLimits(), {}, kRunnerDomains).report;
}

// The first lines and the paths.
std::string Problems(std::initializer_list<LinkedFile> files) {
  return LinesWith(LinkOnRunners(files), {{"error[", ""}, {"= the job: ", "  "}});
}

constexpr std::string_view kUploadFile = R"(on:
  workflow_call:
    inputs:
      role: { type: string, required: true }
      environment: { type: string, default: "" }
      runs_on: { type: string, default: fresh }
jobs:
  build:
    runs-on: fresh
    steps:
      - run: make
      - uses: actions/upload-artifact@v4
  upload:
    needs: build
    runs-on: ${{ inputs.runs_on }}
    environment: ${{ inputs.environment }}
    permissions: { id-token: write }
    steps:
      - uses: actions/download-artifact@v4
      - uses: aws-actions/configure-aws-credentials@v6
        with: { role-to-assume: "${{ inputs.role }}" }
)";

std::string Calling(std::string_view with) {
  return fmt::format(
      "on:\n"
      "  workflow_dispatch:\n"
      "    inputs:\n"
      "      type: {{ type: choice, options: [nightly, stable] }}\n"
      "jobs:\n"
      "  release:\n"
      "    uses: ./.github/workflows/upload.yml\n"
      "    with:\n{}",
      with);
}

}  // namespace

TEST_CASE("a job with a role runs on a machine of the role's domain", "[link]") {
  CHECK(
      LinkOnRunners({{"up.yml", R"(on: workflow_dispatch
jobs:
  up:
    runs-on: gpu-machine
    environment: release-nightly
    steps:
      - uses: aws-actions/configure-aws-credentials@v6
        with:
          role-to-assume: arn:aws:iam::1:role/nightly
)"}}) ==
      R"(error[untrusted-runner]: a job has the role 'arn:aws:iam::1:role/nightly' on a runner that the domain 'nightly' does not have
  --> up.yml:4:14
   |
 4 |     runs-on: gpu-machine
   |              ^^^^^^^^^^^ it has fresh
  ::: up.yml:9:27
   |
 9 |           role-to-assume: arn:aws:iam::1:role/nightly
   |                           ^^^^^^^^^^^^^^^^^^^^^^^^^^^ named here
  ::: matrix/release.yml:8:3
   |
 8 |   nightly:
   |   ^^^^^^^ the domain
   = the job: up.yml job 'up'
)");
}

TEST_CASE("a job with a role is in an environment of the role's domain", "[link]") {
  CHECK(
      LinkOnRunners({{"up.yml", R"(on: workflow_dispatch
jobs:
  up:
    runs-on: fresh
    env: { AWS_ROLE_ARN: "arn:aws:iam::1:role/nightly" }
    steps:
      - run: aws s3 ls
)"}}) ==
      R"(error[missing-environment]: a job has the role 'arn:aws:iam::1:role/nightly', and is in no environment of the domain 'nightly'
  --> up.yml:4:14
   |
 4 |     runs-on: fresh
   |              ^^^^^ it has release-nightly and release-index
  ::: up.yml:5:26
   |
 5 |     env: { AWS_ROLE_ARN: "arn:aws:iam::1:role/nightly" }
   |                          ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ named here
  ::: matrix/release.yml:8:3
   |
 8 |   nightly:
   |   ^^^^^^^ the domain
   = the job: up.yml job 'up'
)");
}

TEST_CASE("what a caller gives is held against the jobs that it calls", "[link]") {
  constexpr std::string_view kRole = "      role: arn:aws:iam::1:role/nightly\n";
  const auto says = [&](std::string_view with) {
    return Problems(
        {{"go.yml", Calling(std::string(kRole) + std::string(with))}, {"upload.yml", kUploadFile}});
  };
  CHECK(says("      environment: release-nightly\n") == "");
  CHECK(says("      environment: RELEASE-INDEX\n      runs_on: Fresh\n") == "");
  CHECK(says("") ==
        "missing-environment]: a job has the role 'arn:aws:iam::1:role/nightly', and is in no "
        "environment of the domain 'nightly'\n"
        "  go.yml job 'release' -> upload.yml job 'upload'\n");
  CHECK(says("      environment: ${{ vars.ENVIRONMENT }}\n") == says(""));
  CHECK(says("      environment: release-nightly\n      runs_on: vault\n") ==
        "untrusted-runner]: a job has the role 'arn:aws:iam::1:role/nightly' on a runner that the "
        "domain 'nightly' does not have\n"
        "  go.yml job 'release' -> upload.yml job 'upload'\n");
  CHECK(says("      environment: release-nightly\n      runs_on: ${{ vars.RUNNER }}\n") ==
        says("      environment: release-nightly\n      runs_on: vault\n"));
}

TEST_CASE("role and environment are chosen by the same input", "[link]") {
  const auto says = [](std::string_view first, std::string_view second) {
    return Problems(
        {{"go.yml",
          Calling(fmt::format(
              "      role: ${{{{ inputs.type == 'nightly' && 'arn:aws:iam::1:role/nightly' || "
              "'arn:aws:iam::1:role/stable' }}}}\n"
              "      environment: ${{{{ inputs.type == 'nightly' && '{}' || '{}' }}}}\n",
              first, second))},
         {"upload.yml", kUploadFile}});
  };
  CHECK(says("release-nightly", "release-stable").find("role/nightly") == std::string::npos);
  CHECK(says("release-stable", "release-stable").find("role/nightly") != std::string::npos);
}

TEST_CASE("what is uploaded is made on a machine of the domain", "[link]") {
  std::string upload(kUploadFile);
  upload.replace(upload.find("runs-on: fresh"), 14, "runs-on: [a, b]");
  CHECK(Problems({{"go.yml", Calling("      role: arn:aws:iam::1:role/nightly\n"
                                     "      environment: release-nightly\n")},
                  {"upload.yml", upload}}) ==
        "untrusted-runner]: what goes out with the role 'arn:aws:iam::1:role/nightly' is made on a "
        "runner that the domain 'nightly' does not have\n"
        "  go.yml job 'release' -> upload.yml job 'build'\n");
  upload.replace(upload.find("[a, b]"), 6, "[self-hosted, fresh]");
  CHECK(Problems({{"go.yml", Calling("      role: arn:aws:iam::1:role/nightly\n"
                                     "      environment: release-nightly\n")},
                  {"upload.yml", upload}}) == "");
}

TEST_CASE("a machine of one domain is not for events of others", "[link]") {
  constexpr std::string_view kTemplate =
      "on: {}\njobs:\n  a:\n    runs-on: {}\n    steps: [{{ run: make }}]\n";
  const auto says = [&](std::string_view on, std::string_view runner) {
    return Problems({{"ci.yml", fmt::format(fmt::runtime(kTemplate), on, runner)}});
  };
  constexpr std::string_view kRefused =
      "untrusted-path]: pull_request reaches the runner 'vault' of the domain 'stable'\n";
  CHECK(says("pull_request", "vault") == kRefused);
  CHECK(says("pull_request", "[self-hosted, VAULT]") == kRefused);
  CHECK(says("pull_request", "{ group: vault }") == kRefused);
  CHECK(says("pull_request", "\"${{ vars.RUNNER }}\"") == kRefused);
  CHECK(says("pull_request", "fresh") == "");
  CHECK(says("pull_request", "unlisted") == "");
  CHECK(says("workflow_dispatch", "vault") == "");
}
