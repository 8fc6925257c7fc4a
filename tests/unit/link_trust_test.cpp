#include <fmt/format.h>

#include <catch2/catch.hpp>
#include <string>

#include "tests/unit/link_harness.h"

using namespace wheelwright;

namespace {

constexpr std::string_view kDomains = R"(domains:
  ci:
    doc: Anybody
    roles: ["arn:aws:iam::1:role/ci"]
    buckets: [ci-artifacts]
    environments: []
    triggers: [pull_request, push, schedule, workflow_dispatch]
  dev:
    doc: By hand
    roles: ["arn:aws:iam::1:role/dev"]
    buckets: [dev-python, dave]
    environments: [dev-release]
    triggers: [workflow_dispatch]
  nightly:
    doc: Once a day
    roles: ["arn:aws:iam::1:role/nightly"]
    buckets: [nightly-python]
    environments: [nightly-release]
    triggers: [schedule, workflow_dispatch]
)";

std::string Link(std::initializer_list<LinkedFile> files) {
  return LinkTexts(files, NoPolicy(), NoLimits(), {}, kDomains).report;
}

// The same, where no domain lists environments that a role's jobs would have to name.
std::string LinkWithoutEnvironments(std::initializer_list<LinkedFile> files) {
  std::string domains(kDomains);
  for (const std::string_view list : {"[dev-release]", "[nightly-release]"}) {
    domains.replace(domains.find(list), list.size(), "[]");
  }
  return LinkTexts(files, NoPolicy(), NoLimits(), {}, domains).report;
}

// What is said without the places: first lines and notes.
std::string Shortly(std::initializer_list<LinkedFile> files) {
  return LinesWith(
      Link(files),
      {{"error[untrusted-path]: ", ""}, {"= the path: ", "  "}, {"= it is taken ", "  "}});
}

// A workflow that has a value in a job's environment.
std::string Holding(std::string_view on, std::string_view value) {
  return fmt::format(
      "on: {}\n"
      "jobs:\n"
      "  a:\n"
      "    runs-on: x\n"
      "    env:\n"
      "      VALUE: {}\n"
      "    steps: [{{ run: make }}]\n",
      on, value);
}

// The same, with an input, called `type`.
std::string Choosing(std::string_view value) {
  return Holding("{ workflow_call: { inputs: { type: { type: string } } } }", value);
}

constexpr std::string_view kByType =
    "${{ inputs.type == 'dev' && 'dev-python' || inputs.type == 'nightly' && 'nightly-python' || "
    "'ci-artifacts' }}";

std::string Calling(std::string_view on, std::string_view callee, std::string_view with) {
  return fmt::format(
      "on: {}\n"
      "jobs:\n"
      "  build:\n"
      "    uses: ./.github/workflows/{}\n"
      "    with: {{ {} }}\n",
      on, callee, with);
}

}  // namespace

TEST_CASE("an event that a domain does not list reaches nothing of it", "[link]") {
  CHECK(Link({{"ci.yml", R"(on: pull_request
jobs:
  upload:
    runs-on: x
    steps:
      - run: upload --bucket s3://dev-python/v2
)"}}) == R"(error[untrusted-path]: pull_request reaches the bucket 'dev-python' of the domain 'dev'
  --> ci.yml:6:35
   |
 6 |       - run: upload --bucket s3://dev-python/v2
   |                                   ^^^^^^^^^^
  ::: ci.yml:1:5
   |
 1 | on: pull_request
   |     ^^^^^^^^^^^^ pull_request starts here
  ::: matrix/release.yml:8:3
   |
 8 |   dev:
   |   ^^^ only workflow_dispatch may reach this domain
   = the path: ci.yml job 'upload'
   = pull_request may reach 'ci'
)");
}

TEST_CASE("a path through called workflows is shown hop by hop", "[link]") {
  CHECK(
      LinkWithoutEnvironments({{"ci_pull_request.yml", R"(on:
  pull_request:
  push:
jobs:
  build:
    uses: ./.github/workflows/build_linux.yml
    with: { type: nightly }
)"},
                               {"build_linux.yml", R"(on:
  workflow_call:
    inputs:
      type: { type: string }
jobs:
  upload:
    uses: ./.github/workflows/upload.yml
    with:
      release_type: ${{ inputs.type }}
)"},
                               {"upload.yml", R"(on:
  workflow_call:
    inputs:
      release_type: { type: string }
jobs:
  put:
    runs-on: x
    steps:
      - uses: aws-actions/configure-aws-credentials@v4
        with:
          role-to-assume: ${{ inputs.release_type == 'nightly' && 'arn:aws:iam::1:role/nightly' || '' }}
          aws-region: us-east-2
)"}}) ==
      R"(error[untrusted-path]: pull_request and push reach the role 'arn:aws:iam::1:role/nightly' of the domain 'nightly'
   --> upload.yml:11:68
    |
 11 |           role-to-assume: ${{ inputs.release_type == 'nightly' && 'arn:aws:iam::1:role/nightly' || '' }}
    |                                                                    ^^^^^^^^^^^^^^^^^^^^^^^^^^^
   ::: ci_pull_request.yml:2:3
    |
  2 |   pull_request:
    |   ^^^^^^^^^^^^ pull_request starts here
   ::: ci_pull_request.yml:3:3
    |
  3 |   push:
    |   ^^^^ push starts here
   ::: ci_pull_request.yml:6:11
    |
  6 |     uses: ./.github/workflows/build_linux.yml
    |           ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ called here
   ::: build_linux.yml:7:11
    |
  7 |     uses: ./.github/workflows/upload.yml
    |           ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ called here
   ::: matrix/release.yml:14:3
    |
 14 |   nightly:
    |   ^^^^^^^ only schedule and workflow_dispatch may reach this domain
    = the path: ci_pull_request.yml job 'build' -> build_linux.yml job 'upload' -> upload.yml job 'put'
    = pull_request may reach 'ci'
)");
}

TEST_CASE("a choice that neither an input nor the event makes may be any", "[link]") {
  CHECK(
      Link({{"ci.yml",
             Holding("pull_request_target",
                     "${{ github.actor == 'me' && 'dev-python' || 'nightly-python' }}")}}) ==
      R"(error[untrusted-path]: pull_request_target reaches the bucket 'dev-python' of the domain 'dev'
  --> ci.yml:6:43
   |
 6 |       VALUE: ${{ github.actor == 'me' && 'dev-python' || 'nightly-python' }}
   |                                           ^^^^^^^^^^
  ::: ci.yml:1:5
   |
 1 | on: pull_request_target
   |     ^^^^^^^^^^^^^^^^^^^ pull_request_target starts here
  ::: matrix/release.yml:8:3
   |
 8 |   dev:
   |   ^^^ only workflow_dispatch may reach this domain
   = the path: ci.yml job 'a'
   = pull_request_target may reach no domain

error[untrusted-path]: pull_request_target reaches the bucket 'nightly-python' of the domain 'nightly'
   --> ci.yml:6:59
    |
  6 |       VALUE: ${{ github.actor == 'me' && 'dev-python' || 'nightly-python' }}
    |                                                           ^^^^^^^^^^^^^^
   ::: ci.yml:1:5
    |
  1 | on: pull_request_target
    |     ^^^^^^^^^^^^^^^^^^^ pull_request_target starts here
   ::: matrix/release.yml:14:3
    |
 14 |   nightly:
    |   ^^^^^^^ only schedule and workflow_dispatch may reach this domain
    = the path: ci.yml job 'a'
    = pull_request_target may reach no domain
)");
}

TEST_CASE("names count as whole words, wherever they stand", "[link]") {
  const auto reach = [](std::string_view value) {
    return Shortly({{"ci.yml", Holding("push", value)}});
  };
  const std::string dev = "push reaches the bucket 'dave' of the domain 'dev'\n  ci.yml job 'a'\n";
  CHECK(reach("dave") == dev);
  CHECK(reach("s3://dave/x") == dev);
  CHECK(reach("\"{\\\"bucket\\\": \\\"dave\\\"}\"") == dev);
  CHECK(reach("https://dave.s3.amazonaws.com") == dev);
  CHECK(reach("${{ format('{0}/x', 'dave') }}") == dev);
  CHECK(reach("davel dave-2 a-dave dave_x xdave Dave ci-artifacts") == "");
  CHECK(reach("arn:aws:iam::1:role/development") == "");
  CHECK(reach("arn:aws:iam::1:role/nightly") ==
        "push reaches the role 'arn:aws:iam::1:role/nightly' of the domain 'nightly'\n"
        "  ci.yml job 'a'\n");
}

TEST_CASE("what stands outside of jobs counts, prose does not", "[link]") {
  CHECK(Shortly({{"ci.yml", R"(name: Not to dev-python
on: { push: , workflow_dispatch: { inputs: { b: { description: Say dev-python, type: choice, options: [dev-python] } } } }
env: { BUCKET: nightly-python }
jobs:
  a:
    name: Not to dev-python
    runs-on: x
    steps: [{ name: Not to dev-python, run: make }]
)"}}) == "push reaches the bucket 'nightly-python' of the domain 'nightly'\n  ci.yml\n");
}

TEST_CASE("inputs are empty for all events but a dispatch", "[link]") {
  const std::string text(kByType);
  CHECK(Shortly({{"ci.yml", Holding("[pull_request, push, schedule, workflow_call]", text)}}) ==
        "");
  CHECK(Shortly({{"ci.yml", Holding("{ push: , workflow_dispatch: { inputs: { type: { type: "
                                    "choice, options: [dev, nightly] } } } }",
                                    text)}}) == "");
}

TEST_CASE("a dispatch may give any option of a choice", "[link]") {
  const auto reach = [](std::string_view spec) {
    return LinkTexts({{"ci.yml", Holding(fmt::format("{{ workflow_dispatch: {{ inputs: {{ type: "
                                                     "{{ {} }} }} }} }}",
                                                     spec),
                                         "${{ inputs.type == 'it' && 'its' }}")}},
                     NoPolicy(), NoLimits(), {}, R"(domains:
  none: { doc: x, roles: [], buckets: [its], environments: [], triggers: [] }
)")
        .report;
  };
  CHECK(reach("type: choice, options: [a, b]") == "");
  CHECK(reach("type: string") ==
        R"(error[untrusted-path]: workflow_dispatch reaches the bucket 'its' of the domain 'none'
  --> ci.yml:6:42
   |
 6 |       VALUE: ${{ inputs.type == 'it' && 'its' }}
   |                                          ^^^
  ::: ci.yml:1:7
   |
 1 | on: { workflow_dispatch: { inputs: { type: { type: string } } } }
   |       ^^^^^^^^^^^^^^^^^ workflow_dispatch starts here
  ::: matrix/release.yml:2:3
   |
 2 |   none: { doc: x, roles: [], buckets: [its], environments: [], triggers: [] }
   |   ^^^^ no event may reach this domain
   = the path: ci.yml job 'a'
   = it is taken where inputs.type == 'it'
   = workflow_dispatch may reach no domain
)");
  CHECK(reach("type: choice, options: [a, It]") != "");
}

TEST_CASE("what a call gives decides", "[link]") {
  const auto reach = [](std::string_view on, std::string_view with) {
    return Shortly({{"ci.yml", Calling(on, "build.yml", with)}, {"build.yml", Choosing(kByType)}});
  };
  const std::string dev =
      "push reaches the bucket 'dev-python' of the domain 'dev'\n"
      "  ci.yml job 'build' -> build.yml job 'a'\n";
  CHECK(reach("push", "type: dev") == dev);
  CHECK(reach("push", "Type: DEV") == dev);
  CHECK(reach("workflow_dispatch", "type: dev") == "");
  CHECK(reach("push", "type: ci") == "");
  CHECK(reach("push", "") == "");
  CHECK(reach("schedule", "type: nightly") == "");
  CHECK(reach("push", "type: \"${{ github.event_name == 'schedule' && 'nightly' || 'ci' }}\"") ==
        "");
  CHECK(reach("[push, schedule]",
              "type: \"${{ github.event_name == 'push' && 'dev' || inputs.type }}\"") ==
        "push reaches the bucket 'dev-python' of the domain 'dev'\n"
        "  ci.yml job 'build' -> build.yml job 'a'\n"
        "  where github.event_name == 'push'\n");
  // Whatever is not understood may be anything.
  for (const char* unknown :
       {"type: \"${{ vars.TYPE }}\"", "type: \"${{ vars.TYPE || inputs.type }}\"",
        "type: \"d${{ inputs.x }}\"", "type: \"${{ GITHUB.ref || INPUTS.type }}\""}) {
    INFO(unknown);
    CHECK(reach("push", unknown) == dev +
                                        "push reaches the bucket 'nightly-python' of the domain "
                                        "'nightly'\n"
                                        "  ci.yml job 'build' -> build.yml job 'a'\n");
  }
  // Empty where the event is no dispatch, so the second one is taken.
  CHECK(reach("push", "type: \"${{ inputs.type || 'dev' }}\"") ==
        dev + "  where inputs.type == ''\n");
  CHECK(reach("push", "type: \"${{ inputs.type || 'ci' }}\"") == "");
}

TEST_CASE("an input that a call leaves out has its default", "[link]") {
  const auto reach = [](std::string_view spec, std::string_view with) {
    return Shortly(
        {{"ci.yml", Calling("push", "build.yml", with)},
         {"build.yml",
          Holding(fmt::format("{{ workflow_call: {{ inputs: {{ type: {{ {} }} }} }} }}", spec),
                  kByType)}});
  };
  const std::string dev =
      "push reaches the bucket 'dev-python' of the domain 'dev'\n"
      "  ci.yml job 'build' -> build.yml job 'a'\n";
  CHECK(reach("type: string, default: dev", "") == dev);
  CHECK(reach("type: string, default: dev", "type: ci") == "");
  CHECK(reach("type: string, default: ci", "") == "");
  CHECK(reach("type: string, default: \"${{ github.ref }}\"", "") ==
        dev +
            "push reaches the bucket 'nightly-python' of the domain 'nightly'\n"
            "  ci.yml job 'build' -> build.yml job 'a'\n");
}

TEST_CASE("a default that belongs to a domain counts where it is used", "[link]") {
  const std::string callee = R"(on:
  workflow_call:
    inputs:
      bucket: { type: string, default: dev-python }
jobs:
  a:
    runs-on: x
    steps: [{ run: make, env: { B: "${{ inputs.bucket }}" } }]
)";
  CHECK(Shortly({{"ci.yml", Calling("push", "build.yml", "")}, {"build.yml", callee}}) ==
        "push reaches the bucket 'dev-python' of the domain 'dev'\n"
        "  ci.yml job 'build' -> build.yml\n");
  CHECK(Shortly({{"ci.yml", Calling("push", "build.yml", "bucket: ci-artifacts")},
                 {"build.yml", callee}}) == "");
}

TEST_CASE("of several calls each counts", "[link]") {
  const std::string ci = R"(on: push
jobs:
  one: { uses: ./.github/workflows/build.yml, with: { type: ci } }
  two: { uses: ./.github/workflows/build.yml, with: { type: nightly }, if: inputs.never }
  three: { uses: ./.github/workflows/build.yml, with: { other: 1 } }
  four: { uses: ./.github/workflows/build.yml, with: { type: nightly } }
)";
  CHECK(Shortly({{"ci.yml", ci}, {"build.yml", Choosing(kByType)}}) ==
        "push reaches the bucket 'nightly-python' of the domain 'nightly'\n"
        "  ci.yml job 'four' -> build.yml job 'a'\n");
  // A call that leaves the input out may be any of them.
  CHECK(Shortly({{"ci.yml", ci},
                 {"build.yml", Choosing("${{ inputs.type == '' && 'dev-python' }}")}}) ==
        "push reaches the bucket 'dev-python' of the domain 'dev'\n"
        "  ci.yml job 'three' -> build.yml job 'a'\n");
}

TEST_CASE("an input that takes very many values may be anything", "[link]") {
  std::string ci = "on: push\njobs:\n";
  for (int i = 0; i < 70; ++i) {
    ci += fmt::format("  j{0}: {{ uses: ./.github/workflows/build.yml, with: {{ type: v{0} }} }}\n",
                      i);
  }
  CHECK(
      Shortly({{"ci.yml", ci}, {"build.yml", Choosing("${{ inputs.type == 'dev' && 'dave' }}")}}) ==
      "push reaches the bucket 'dave' of the domain 'dev'\n"
      "  ci.yml job 'j64' -> build.yml job 'a'\n");
}

TEST_CASE("tables and conditions decide as well", "[link]") {
  const auto reach = [](std::string_view value, std::string_view type) {
    return Shortly({{"ci.yml", Calling("push", "build.yml", fmt::format("type: {}", type))},
                    {"build.yml", Choosing(value)}});
  };
  const std::string dev =
      "push reaches the bucket 'dev-python' of the domain 'dev'\n"
      "  ci.yml job 'build' -> build.yml job 'a'\n";
  constexpr std::string_view kTable =
      ">-\n        ${{ fromJSON('{\"dev\": \"dev-python\", \"ci\": "
      "\"ci-artifacts\"}')[inputs.type] }}";
  CHECK(reach(kTable, "dev") == dev);
  CHECK(reach(kTable, "ci") == "");
  CHECK(reach(">-\n        ${{ fromJSON('{\"dev\": [\"dev-python\"]}')[inputs.type][0] }}", "ci") ==
        dev);
  for (const char* guarded :
       {"${{ 'dev' == inputs.type && 'dev-python' }}",
        "${{ github.ref && inputs['type'] == 'dev' && 'dev-python' || 'x' }}",
        "a ${{ inputs.type == 'dev' && format('{0}', 'dev-python') || '' }} b"}) {
    INFO(guarded);
    CHECK(reach(guarded, "dev") == dev);
    CHECK(reach(guarded, "ci") == "");
  }
  CHECK(reach("${{ inputs.type && 'dev-python' }}", "ci") == dev);
  CHECK(reach("${{ inputs.type != '' && 'dev-python' }}", "\"\"") == "");
  CHECK(reach("${{ inputs.type != 'ci' && 'dev-python' }}", "ci") == dev);
}

TEST_CASE("conditions of jobs and steps count", "[link]") {
  const std::string callee =
      R"(on: { workflow_call: { inputs: { upload: { type: boolean }, type: { type: string } } } }
jobs:
  a:
    if: ${{ inputs.upload && !cancelled() }}
    runs-on: x
    steps: [{ run: dev-python }]
  b:
    runs-on: x
    steps: [{ run: nightly-python, if: inputs.type == 'nightly' }]
)";
  const auto reach = [&](std::string_view with) {
    return Shortly({{"ci.yml", Calling("push", "build.yml", with)}, {"build.yml", callee}});
  };
  CHECK(reach("") == "");
  CHECK(reach("upload: false, type: dev") == "");
  CHECK(reach("upload: true") ==
        "push reaches the bucket 'dev-python' of the domain 'dev'\n"
        "  ci.yml job 'build' -> build.yml job 'a'\n");
  CHECK(reach("type: nightly") ==
        "push reaches the bucket 'nightly-python' of the domain 'nightly'\n"
        "  ci.yml job 'build' -> build.yml job 'b'\n");
}

TEST_CASE("environments of deployments belong to domains", "[link]") {
  const auto reach = [](std::string_view environment, std::string_view with) {
    const std::string callee = fmt::format(
        "on: {{ workflow_call: {{ inputs: {{ to: {{ type: string }} }} }} }}\n"
        "jobs:\n"
        "  a:\n"
        "    environment: {}\n"
        "    runs-on: x\n"
        "    steps: [{{ run: echo dev-release }}]\n",
        environment);
    return Shortly({{"ci.yml", Calling("schedule", "build.yml", with)}, {"build.yml", callee}});
  };
  const std::string dev =
      "schedule reaches the environment 'dev-release' of the domain 'dev'\n"
      "  ci.yml job 'build' -> build.yml job 'a'\n";
  CHECK(reach("dev-release", "") == dev);
  CHECK(reach("{ name: Dev-Release, url: https://x }", "") == dev);
  CHECK(reach("nightly-release", "") == "");
  CHECK(reach("other", "") == "");
  CHECK(reach("${{ inputs.to }}", "to: dev-release") == dev);
  CHECK(reach("${{ inputs.to }}", "to: nightly-release") == "");
  CHECK(reach("${{ vars.TO }}", "") == dev);
  CHECK(reach("${{ vars.TO }}-release", "") == dev);
  CHECK(reach("${{ inputs.to }}-release", "to: dev") == dev);
  CHECK(reach("${{ inputs.to }}-release", "to: nightly") == "");
  CHECK(reach("${{ inputs.to }}-release", "") == "");
  CHECK(reach("${{ inputs.to }}-staging", "") == "");
}

TEST_CASE("a computed environment that may be of several domains is one report", "[link]") {
  CHECK(Link({{"ci.yml", R"(on: push
jobs:
  a:
    runs-on: x
    environment: { name: "${{ vars.TO }}" }
    steps: [{ run: make }]
)"}}) ==
        R"(error[untrusted-path]: push reaches the environment 'dev-release' of the domain 'dev'
  --> ci.yml:5:27
   |
 5 |     environment: { name: "${{ vars.TO }}" }
   |                           ^^^^^^^^^^^^^^
  ::: ci.yml:1:5
   |
 1 | on: push
   |     ^^^^ push starts here
  ::: matrix/release.yml:8:3
   |
 8 |   dev:
   |   ^^^ only workflow_dispatch may reach this domain
   = the path: ci.yml job 'a'
   = this value is only known in the run, so it counts as any
   = push may reach 'ci'
   = the same value reaches the environment 'nightly-release' of the domain 'nightly'
)");
}

TEST_CASE("files that nothing but a call starts, and sets without domains, are not blamed",
          "[link]") {
  CHECK(Shortly({{"build.yml", Holding("workflow_call", "dev-python")}}) == "");
  CHECK(LinkText(Holding("push", "dev-python")) == "");
}

namespace {

// A job that assumes a role by the action of AWS.
std::string Assuming(std::string_view on, std::string_view role) {
  return fmt::format(
      "on: {}\n"
      "jobs:\n"
      "  a:\n"
      "    runs-on: x\n"
      "    strategy: {{ matrix: {{ of: [dev, ci] }} }}\n"
      "    steps:\n"
      "      - uses: aws-actions/configure-aws-credentials@v4\n"
      "        with: {{ role-to-assume: {} }}\n",
      on, role);
}

std::string Running(std::string_view on, std::string_view script) {
  return fmt::format("on: {}\njobs:\n  a:\n    runs-on: x\n    steps:\n      - run: {}\n", on,
                     script);
}

const std::string kPushReachesRoles =
    "push reaches the role 'arn:aws:iam::1:role/dev' of the domain 'dev'\n  ci.yml job 'a'\n";
const std::string kPushReachesNightly =
    "push reaches the role 'arn:aws:iam::1:role/nightly' of the domain 'nightly'\n"
    "  ci.yml job 'a'\n";

}  // namespace

TEST_CASE("a role that is computed may be any", "[link]") {
  for (const char* role : {
           "\"${{ vars.ROLE }}\"",
           "\"${{ secrets.ROLE }}\"",
           "\"${{ env.ROLE }}\"",
           "\"${{ needs.a.outputs.role }}\"",
           "\"${{ format('arn:aws:iam::1:role/{0}', 'dev') }}\"",
           "\"${{ join(fromJSON('[\\\"arn:aws:iam::1:role\\\", \\\"dev\\\"]'), '/') }}\"",
           "\"${{ fromJSON('\\\"arn:aws:iam::1:role\\\\/dev\\\"') }}\"",
           "\"${{ fromJSON('\\\"arn\\\\u003aaws:iam::1:role/dev\\\"') }}\"",
           "\"arn:aws:iam::1:role/${{ matrix.of }}\"",
           "\"arn:aws:${{ vars.A }}:role/${{ vars.B }}\"",
           "\"${{ github.event.client_payload.role || 'arn:aws:iam::1:role/ci' }}\"",
           "\"${{ github.actor == 'x' && vars.ROLE || 'arn:aws:iam::1:role/ci' }}\"",
       }) {
    INFO(role);
    const std::string said = Shortly({{"ci.yml", Assuming("push", role)}});
    CHECK_THAT(said,
               Catch::Matchers::StartsWith("push reaches the role 'arn:aws:iam::1:role/dev'"));
  }
  CHECK(Shortly({{"ci.yml", Assuming("push", "\"${{ vars.ROLE }}\"")}}).find("nightly") ==
        std::string::npos);
  CHECK(Link({{"ci.yml", Assuming("push", "\"${{ vars.ROLE }}\"")}})
            .find("the same value reaches the role 'arn:aws:iam::1:role/nightly'") !=
        std::string::npos);
}

TEST_CASE("what is written around a computed part narrows it", "[link]") {
  const auto reach = [](std::string_view role) {
    return Shortly({{"ci.yml", Assuming("push", role)}});
  };
  CHECK(reach("\"arn:aws:iam::1:role/night${{ vars.X }}\"") == kPushReachesNightly);
  CHECK(reach("\"${{ vars.X }}/dev\"") == kPushReachesRoles);
  CHECK(reach("\"arn:aws:iam::2:role/${{ vars.X }}\"") == "");
  // Written out, and chosen by what cannot be known.
  CHECK(reach("\"${{ github.ref == 'x' && 'arn:aws:iam::1:role/ci' || '' }}\"") == "");
  CHECK(reach("\"arn:aws:iam::1:role/${{ github.ref == 'x' && 'dev' || 'ci' }}\"") ==
        kPushReachesRoles);
}

TEST_CASE("a role counts by whatever way it is taken", "[link]") {
  for (const char* script : {
           "aws sts assume-role --role-arn \"$ROLE\" --role-session-name x",
           "aws sts assume-role-with-web-identity --role-arn=$(cat role)",
           "export AWS_ROLE_ARN=`cat role`",
           "'echo \"AWS_ROLE_ARN=$ROLE\" >> \"$GITHUB_ENV\"'",
           "aws configure set role_arn \"arn:aws:iam::1:role/$TYPE\"",
           "python -c 'client.assume_role(RoleArn=roles[1])'",
       }) {
    INFO(script);
    CHECK(Shortly({{"ci.yml", Running("push", script)}}) == kPushReachesRoles);
  }
  CHECK(Shortly({{"ci.yml", Running("push",
                                    "aws sts assume-role --role-arn arn:aws:iam::1:role/ci "
                                    "--role-session-name $X")}}) == "");
  CHECK(Shortly({{"ci.yml",
                  "on: push\njobs:\n  a:\n    runs-on: x\n    env: { AWS_ROLE_ARN: \"${{ "
                  "vars.R }}\" }\n    steps: [{ run: make }]\n"}}) == kPushReachesRoles);
  CHECK(Shortly({{"ci.yml",
                  "on: push\nenv: { AWS_ROLE_ARN: \"${{ vars.R }}\" }\njobs:\n  a:\n    "
                  "runs-on: x\n    steps: [{ run: make }]\n"}}) ==
        "push reaches the role 'arn:aws:iam::1:role/dev' of the domain 'dev'\n  ci.yml\n");
}

TEST_CASE("a role that a caller gives is known where the caller writes it", "[link]") {
  const auto reach = [](std::string_view role) {
    return Shortly(
        {{"ci.yml", Calling("push", "build.yml", role)},
         {"build.yml", Assuming("{ workflow_call: { inputs: { role: { type: string } } } }",
                                "\"${{ inputs.role }}\"")}});
  };
  CHECK(reach("role: arn:aws:iam::1:role/ci") == "");
  CHECK(reach("") == "");
  CHECK(reach("role: arn:aws:iam::1:role/dev") ==
        "push reaches the role 'arn:aws:iam::1:role/dev' of the domain 'dev'\n"
        "  ci.yml job 'build'\n");
  CHECK_THAT(reach("role: \"${{ vars.ROLE }}\""),
             Catch::Matchers::StartsWith(
                 "push reaches the role 'arn:aws:iam::1:role/dev' of the domain 'dev'\n"
                 "  ci.yml job 'build' -> build.yml job 'a'\n"));
}

TEST_CASE("a text that GitHub compares as the number 0 equals an input that is not there",
          "[link]") {
  for (const char* zero : {"''", "' '", "'0'", "'  0 '", "'0x0'", "'-0'"}) {
    INFO(zero);
    CHECK(Shortly({{"ci.yml", Holding("push", fmt::format("${{{{ inputs.k == {} && 'dave' }}}}",
                                                          zero))}}) != "");
  }
  CHECK(Shortly({{"ci.yml", Holding("push", "${{ inputs.k == 'x' && 'dave' }}")}}) == "");
  const auto reach = [](std::string_view with, std::string_view spec, std::string_view value) {
    return Shortly(
        {{"ci.yml", Calling("push", "build.yml", with)},
         {"build.yml",
          Holding(fmt::format("{{ workflow_call: {{ inputs: {{ k: {{ {} }} }} }} }}", spec),
                  fmt::format("${{{{ inputs.k == {} && 'dave' }}}}", value))}});
  };
  CHECK(reach("k: false", "type: boolean", "'0'") != "");
  CHECK(reach("k: true", "type: boolean", "'1'") != "");
  CHECK(reach("k: true", "type: boolean", "'0'") == "");
  CHECK(reach("k: 0", "type: number", "' '") != "");
  CHECK(reach("k: 2", "type: number", "'2.0'") != "");
  CHECK(reach("k: a", "type: string", "' '") == "");
}

TEST_CASE("an input may be called description", "[link]") {
  CHECK(Shortly({{"ci.yml", Holding("{ push: , workflow_call: { outputs: { description: { value: "
                                    "dave } } } }",
                                    "x")}}) ==
        "push reaches the bucket 'dave' of the domain 'dev'\n  ci.yml\n");
  CHECK(
      LinkTexts({{"ci.yml", Holding("{ workflow_dispatch: { inputs: { description: { description: "
                                    "Not its, default: its } } } }",
                                    "x")}},
                NoPolicy(), NoLimits(), {}, R"(domains:
  none: { doc: x, roles: [], buckets: [its], environments: [], triggers: [] }
)")
          .report != "");
}

namespace {

// Files that may start each other: release.yml by hand, to a bucket and by a choice.
constexpr std::string_view kRelease = R"(name: Release it
on:
  workflow_dispatch: { inputs: { type: { type: choice, options: [dev, ci] } } }
jobs:
  put:
    runs-on: x
    env: { TO: "${{ inputs.type == 'dev' && 'dev-python' || '' }}" }
    steps: [{ run: make }]
)";

std::string Starting(std::string_view step) {
  return fmt::format(
      "on: issue_comment\npermissions: {{ actions: write }}\njobs:\n  a:\n    runs-on: x\n    "
      "steps:\n      - {}\n",
      step);
}

}  // namespace

TEST_CASE("who starts a run reaches what the run does", "[link]") {
  const std::string dev =
      "issue_comment reaches the bucket 'dev-python' of the domain 'dev'\n"
      "  ci.yml job 'a' -> release.yml job 'put'\n";
  for (const char* step : {
           "run: gh workflow run release.yml -f type=dev",
           "run: gh  workflow run --ref main -f type=$TYPE release.yml",
           "run: gh workflow run 'Release it' -f type=dev",
           "run: gh workflow run release.yml -R owner/name -f type=dev",
           "run: gh workflow run release.yml --json < inputs",
           "run: gh workflow run \"$FILE\"",
           "run: id=$(gh workflow run release.yml -f type=dev)",
           "run: gh api repos/o/n/actions/workflows/release.yml/dispatches -f ref=main -f "
           "'inputs[type]=dev'",
           "run: gh api \"repos/o/n/actions/workflows/$FILE/dispatches\"",
           "run: curl -X POST "
           "https://api.github.com/repos/o/n/actions/workflows/release.yml/dispatches",
           "{ uses: benc-uk/workflow-dispatch@v1, with: { workflow: release.yml, inputs: '{ "
           "\"type\": "
           "\"dev\" }' } }",
           "{ uses: benc-uk/workflow-dispatch@v1, with: { workflow: \"${{ vars.FILE }}\" } }",
           "{ uses: the-actions-org/workflow-dispatch@v1, with: { workflow: Release it, inputs: "
           "\"${{ "
           "vars.INPUTS }}\" } }",
           "{ uses: actions/github-script@v7, with: { script: \"github.rest.actions."
           "createWorkflowDispatch({ workflow_id: 'release.yml' })\" } }",
           "{ uses: actions/github-script@v7, with: { script: \"github.rest.actions."
           "createWorkflowDispatch(it)\" } }",
       }) {
    INFO(step);
    CHECK(Shortly({{"ci.yml", Starting(step)}, {"release.yml", kRelease}}) == dev);
  }
  for (const char* step : {
           "run: gh workflow run release.yml -f type=ci",
           "run: gh workflow run release.yml",
           "run: gh workflow run other.yml -R owner/name",
           "run: gh api repos/o/n/dispatches -f event_type=x",
           "run: gh run cancel 5",
       }) {
    INFO(step);
    CHECK(Shortly({{"ci.yml", Starting(step)}, {"release.yml", kRelease}}) == "");
  }
}

TEST_CASE("a run that is started is followed through calls and further runs", "[link]") {
  CHECK(
      Link({{"ci.yml",
             "on: pull_request_target\njobs:\n  b:\n    uses: "
             "./.github/workflows/start.yml\n    with: { type: dev }\n"},
            {"start.yml",
             "on: { workflow_call: { inputs: { type: { type: string } } } }\njobs:\n  s:\n    "
             "runs-on: x\n    steps: [{ run: gh workflow run again.yml }]\n"},
            {"again.yml",
             "on: workflow_dispatch\njobs:\n  s:\n    runs-on: x\n    steps:\n      - run: gh "
             "workflow run release.yml -f type=dev\n      - run: gh workflow run again.yml\n"},
            {"release.yml", kRelease}}) ==
      R"(error[untrusted-path]: pull_request_target reaches the bucket 'dev-python' of the domain 'dev'
  --> release.yml:7:46
   |
 7 |     env: { TO: "${{ inputs.type == 'dev' && 'dev-python' || '' }}" }
   |                                              ^^^^^^^^^^
  ::: ci.yml:1:5
   |
 1 | on: pull_request_target
   |     ^^^^^^^^^^^^^^^^^^^ pull_request_target starts here
  ::: ci.yml:4:11
   |
 4 |     uses: ./.github/workflows/start.yml
   |           ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ called here
  ::: start.yml:5:36
   |
 5 |     steps: [{ run: gh workflow run again.yml }]
   |                                    ^^^^^^^^^ starts a run here
  ::: again.yml:6:30
   |
 6 |       - run: gh workflow run release.yml -f type=dev
   |                              ^^^^^^^^^^^ starts a run here
  ::: matrix/release.yml:8:3
   |
 8 |   dev:
   |   ^^^ only workflow_dispatch may reach this domain
   = the path: ci.yml job 'b' -> start.yml job 's' -> again.yml job 's' -> release.yml job 'put'
   = pull_request_target may reach no domain
)");
}

TEST_CASE("an event of repository_dispatch starts whoever listens", "[link]") {
  CHECK(Shortly({{"ci.yml", Starting("run: gh api repos/o/n/dispatches -f event_type=go")},
                 {"on.yml", Holding("repository_dispatch", "dave")}}) ==
        "repository_dispatch reaches the bucket 'dave' of the domain 'dev'\n"
        "  on.yml job 'a'\n"
        "issue_comment reaches the bucket 'dave' of the domain 'dev'\n"
        "  ci.yml job 'a' -> on.yml job 'a'\n");
}

TEST_CASE("who may start runs says which", "[link]") {
  LinkRules rules = NoPolicy();
  rules.readable_dispatches = RuleLevel::kError;
  const auto say = [&](std::string_view step) {
    return LinkTexts({{"ci.yml", Starting(step)}, {"release.yml", kRelease}}, rules).report;
  };
  CHECK(say("run: ./release.sh") ==
        R"(error[unreadable-dispatch]: job 'a' may start any workflow, but does not name one
  --> ci.yml:2:1
   |
 2 | permissions: { actions: write }
   | ^^^^^^^^^^^ write the file's name
   = a job that starts a run reaches everything that the run reaches
)");
  CHECK(say("run: gh workflow run $FILE") ==
        R"(error[unreadable-dispatch]: it is unknown which workflow job 'a' starts
  --> ci.yml:7:30
   |
 7 |       - run: gh workflow run $FILE
   |                              ^^^^^ write the file's name
   = a job that starts a run reaches everything that the run reaches
)");
  CHECK(say("uses: some/dispatcher@v1") != "");
  CHECK(say("run: gh run cancel $ID") == "");
  CHECK(say("run: gh workflow run release.yml") == "");
}
