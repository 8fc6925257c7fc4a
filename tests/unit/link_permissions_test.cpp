#include <fmt/format.h>

#include <catch2/catch.hpp>

#include "tests/unit/link_harness.h"

using namespace wheelwright;

namespace {

// Asks for permissions of its own, and through upload.yml.
constexpr std::string_view kBuild = R"(on: workflow_call
jobs:
  build:
    permissions: { contents: read, actions: write }
    runs-on: x
    steps: [{ run: make }]
  next:
    permissions: { contents: read, id-token: write }
    uses: ./.github/workflows/upload.yml
)";

// Asks for more in its job than for all.
constexpr std::string_view kUpload = R"(on: workflow_call
permissions: { contents: read }
jobs:
  upload:
    permissions: { contents: read, id-token: write }
    runs-on: x
    steps: [{ run: make }]
)";

LinkRules PermissionRules() {
  LinkRules rules = NoPolicy();
  rules.explicit_permissions = RuleLevel::kError;
  rules.minimal_permissions = RuleLevel::kError;
  return rules;
}

}  // namespace

TEST_CASE("a caller grants what the called workflows ask for and no more", "[link]") {
  CHECK(LinkTexts({{"ci.yml", R"(on: push
jobs:
  a:
    permissions: { contents: read, actions: write, id-token: write }
    uses: ./.github/workflows/build.yml
)"},
                   {"build.yml", kBuild},
                   {"upload.yml", kUpload}},
                  PermissionRules(), NoLimits())
            .report == "");
}

TEST_CASE("permissions are explicit", "[link]") {
  CHECK(LinkTexts({{"ci.yml", R"(on: push
jobs:
  a:
    runs-on: x
    steps: [{ run: make }]
)"}},
                  PermissionRules(), NoLimits())
            .report ==
        R"(error[missing-permissions]: the permissions of job 'a' are not given
  --> ci.yml:3:3
   |
 3 |   a:
   |   ^ add 'permissions', here or for the whole workflow
)");
}

TEST_CASE("permissions of the whole workflow count for its jobs", "[link]") {
  CHECK(LinkTexts({{"ci.yml", R"(on: push
permissions: {}
jobs:
  a:
    runs-on: x
    steps: [{ run: make }]
)"}},
                  PermissionRules(), NoLimits())
            .report == "");
}

TEST_CASE("what a called workflow misses is shown with the path to it", "[link]") {
  CHECK(
      LinkTexts({{"ci.yml", R"(on: push
jobs:
  a:
    permissions: { contents: read, actions: read }
    uses: ./.github/workflows/build.yml
)"},
                 {"build.yml", kBuild},
                 {"upload.yml", kUpload}},
                PermissionRules(), NoLimits())
          .report ==
      R"(error[missing-permission]: job 'a' grants build.yml 'actions: read', and it asks for 'write'
  --> ci.yml:4:45
   |
 4 |     permissions: { contents: read, actions: read }
   |                                             ^^^^
  ::: build.yml:4:36
   |
 4 |     permissions: { contents: read, actions: write }
   |                                    ^^^^^^^ asked for here
   = ci.yml job 'a' -> build.yml job 'build'
   = permissions that build.yml needs: actions: write, contents: read, id-token: write

error[missing-permission]: job 'a' grants build.yml 'id-token: none', and it asks for 'write'
  --> ci.yml:4:5
   |
 4 |     permissions: { contents: read, actions: read }
   |     ^^^^^^^^^^^
  ::: build.yml:8:36
   |
 8 |     permissions: { contents: read, id-token: write }
   |                                    ^^^^^^^^ asked for here
   = ci.yml job 'a' -> build.yml job 'next'
   = permissions that build.yml needs: actions: write, contents: read, id-token: write
)");
}

TEST_CASE("a callee without permissions passes on what is asked below it", "[link]") {
  CHECK(
      LinkTexts({{"ci.yml", R"(on: push
permissions: { contents: read }
jobs:
  a:
    uses: ./.github/workflows/build.yml
)"},
                 {"build.yml", R"(on: workflow_call
jobs:
  next:
    uses: ./.github/workflows/upload.yml
)"},
                 {"upload.yml", kUpload}},
                PermissionRules(), NoLimits())
          .report ==
      R"(error[missing-permission]: job 'a' grants build.yml 'id-token: none', and it asks for 'write'
  --> ci.yml:5:11
   |
 5 |     uses: ./.github/workflows/build.yml
   |           ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
  ::: upload.yml:5:36
   |
 5 |     permissions: { contents: read, id-token: write }
   |                                    ^^^^^^^^ asked for here
   = ci.yml job 'a' -> build.yml job 'next' -> upload.yml job 'upload'
   = permissions that build.yml needs: contents: read, id-token: write

error[missing-permissions]: the permissions of job 'next' are not given
  --> build.yml:3:3
   |
 3 |   next:
   |   ^^^^ add 'permissions', here or for the whole workflow
)");
}

TEST_CASE("a callee gets no more than it asks for", "[link]") {
  CHECK(
      LinkTexts({{"ci.yml", R"(on: push
jobs:
  a:
    permissions: { contents: write, issues: write, id-token: write }
    uses: ./.github/workflows/build.yml
)"},
                 {"build.yml", kUpload}},
                PermissionRules(), NoLimits())
          .report ==
      R"(error[excess-permission]: job 'a' grants 'contents: write' to build.yml, which asks for 'read' only
  --> ci.yml:4:20
   |
 4 |     permissions: { contents: write, issues: write, id-token: write }
   |                    ^^^^^^^^
   = permissions that build.yml needs: contents: read, id-token: write
)");
}

TEST_CASE("the permissions of the workflow may be too much for a call", "[link]") {
  CHECK(
      LinkTexts({{"ci.yml", R"(on: push
permissions: { contents: read, id-token: write, packages: read }
jobs:
  a:
    uses: ./.github/workflows/build.yml
)"},
                 {"build.yml", kUpload}},
                PermissionRules(), NoLimits())
          .report ==
      R"(error[excess-permission]: job 'a' grants 'packages: read' to build.yml, which does not ask for it
  --> ci.yml:5:11
   |
 5 |     uses: ./.github/workflows/build.yml
   |           ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
   = permissions that build.yml needs: contents: read, id-token: write
   = the job has what the whole workflow has; give it a block of its own
)");
}

TEST_CASE("read-all and write-all are understood", "[link]") {
  CHECK(
      LinkTexts({{"ci.yml", R"(on: push
jobs:
  a:
    permissions: read-all
    uses: ./.github/workflows/build.yml
)"},
                 {"build.yml", kUpload}},
                PermissionRules(), NoLimits())
          .report ==
      R"(error[missing-permission]: job 'a' grants build.yml 'id-token: none', and it asks for 'write'
  --> ci.yml:4:5
   |
 4 |     permissions: read-all
   |     ^^^^^^^^^^^
  ::: build.yml:5:36
   |
 5 |     permissions: { contents: read, id-token: write }
   |                                    ^^^^^^^^ asked for here
   = ci.yml job 'a' -> build.yml job 'upload'
   = permissions that build.yml needs: contents: read, id-token: write

error[excess-permission]: job 'a' grants 'actions: read' to build.yml, which does not ask for it
  --> ci.yml:4:5
   |
 4 |     permissions: read-all
   |     ^^^^^^^^^^^
   = permissions that build.yml needs: contents: read, id-token: write
)");
}

TEST_CASE("write-all grants everything", "[link]") {
  CHECK(LinkTexts({{"ci.yml", R"(on: push
jobs:
  a:
    permissions: write-all
    uses: ./.github/workflows/build.yml
)"},
                   {"build.yml", kUpload}},
                  NoPolicy(), NoLimits())
            .report == "");
}

TEST_CASE("a job may prove its identity only where it does", "[link]") {
  LinkRules rules = NoPolicy();
  rules.used_id_tokens = RuleLevel::kError;
  const auto link = [&](std::string_view permissions, std::string_view step) {
    return LinkText(fmt::format("on: push\n"
                                "jobs:\n"
                                "  a:\n"
                                "    permissions: {{ {} }}\n"
                                "    runs-on: x\n"
                                "    steps: [{{ {} }}]\n",
                                permissions, step),
                    rules);
  };
  CHECK(link("id-token: write", "run: make") ==
        R"(error[idle-id-token]: job 'a' may request an identity token, but none of its steps does
  --> ci.yml:4:20
   |
 4 |     permissions: { id-token: write }
   |                    ^^^^^^^^ leave it out
   = any code that runs in the job could assume every role that trusts it
)");
  CHECK(link("contents: read", "run: make") == "");
  CHECK(link("id-token: write", "uses: aws-actions/configure-aws-credentials@v4") == "");
  CHECK(link("id-token: write", "uses: a/b@v1, with: { role-to-assume: x }") == "");
  CHECK(link("id-token: write", "uses: actions/attest-build-provenance@v2") == "");
  CHECK(link("id-token: write", "run: uv publish dist/*") == "");
  CHECK(link("id-token: write", "run: npm publish") == "");
  CHECK(link("id-token: write", "run: npm publish --provenance") == "");
  CHECK(link("id-token: write", "run: twine upload dist/*") == "");
  CHECK(link("id-token: write", "run: cosign sign image") == "");
  CHECK(link("id-token: write", "uses: pypa/gh-action-pypi-publish@v1") == "");
  CHECK(link("id-token: write", "run: 'curl \"$ACTIONS_ID_TOKEN_REQUEST_URL\"'") == "");
  CHECK(LinkText(R"(on: push
permissions: { id-token: write }
jobs:
  a: { runs-on: x, steps: [{ run: make }] }
  b: { uses: ./.github/workflows/b.yml }
)",
                 rules)
            .starts_with("error[idle-id-token]: job 'a' may request"));
}
