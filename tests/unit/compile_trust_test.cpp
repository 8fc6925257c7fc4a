// Trust domains of the matrix, held against what templates make of it.

#include <catch2/catch.hpp>
#include <string>
#include <string_view>

#include "generator/compile/compile.h"
#include "tests/unit/combo_matrix.h"

namespace wheelwright {
namespace {

constexpr std::string_view kUpload = R"($[[ template ]]: { file: upload.yml }
name: Upload
on:
  workflow_call:
    inputs:
      type: { type: string, required: true }
permissions: {}
jobs:
  upload:
    name: Upload
    runs-on: ubuntu-24.04
    timeout-minutes: 5
    steps:
      - env:
          $[[ for type in release_types ]]:
            $[[ upper(type.name) ]]: ${{ inputs.type == '$[[ type.name ]]' && '$[[ type.python_bucket ]]' || '' }}
        run: wheelrun upload
)";

constexpr std::string_view kStart = R"($[[ template ]]:
  for: platform in platforms
  file: start_$[[ platform.name ]].yml
name: Start | $[[ platform.title ]]
on:
  push:
concurrency: { group: start, cancel-in-progress: false }
permissions: {}
jobs:
  $[[ for type in release_types ]]:
    $[[ type.name ]]:
      name: $[[ type.name ]]
      uses: ./.github/workflows/upload.yml
      with:
        type: $[[ type.name ]]
)";

std::string Says(std::string_view start) {
  ComboMatrix project;
  project.files().files["templates/workflows/start.yml"] = start;
  project.files().files["templates/workflows/upload.yml"] = kUpload;
  Diagnostics diagnostics;
  const auto made = Compile(project.files(), {}, CompileUntil::kText, diagnostics);
  return Render(diagnostics, made->sources, ReportFormat::kText, false);
}

TEST_CASE("a path of unrolled files is told once, with the row of the domain", "[compile]") {
  CHECK(Says(kStart) ==
        R"(error[untrusted-path]: push reaches the bucket 'dev-python' of the domain 'dev'
   --> templates/workflows/upload.yml:16:38
    |
 16 |             $[[ upper(type.name) ]]: ${{ inputs.type == '$[[ type.name ]]' && '$[[ type.python_bucket ]]' || '' }}
    |                                      ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
   ::: templates/workflows/start.yml:6:3
    |
  6 |   push:
    |   ^^^^ push starts here
   ::: templates/workflows/start.yml:13:13
    |
 13 |       uses: ./.github/workflows/upload.yml
    |             ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ called here
   ::: matrix/release.yml:17:3
    |
 17 |   dev: { doc: By hand, roles: ["arn:aws:iam::123456789012:role/dev", "arn:aws:iam::123456789012:role/stable"], buckets: [dev-python, dev-tarball, dev-artifacts, stable-python, stable-tarball, stable-artifacts], triggers: [workflow_dispatch] }
    |   ^^^ only workflow_dispatch may reach this domain
    = the path: start_linux.yml job 'dev' -> upload.yml job 'upload'
    = push may reach no domain
    = the same value reaches the bucket 'stable-python' of the domain 'dev'
    = in 2 instances, first: platform=linux type=dev
)");
  std::string dispatched(kStart);
  dispatched.replace(dispatched.find("push:"), 5, "workflow_dispatch:");
  CHECK(Says(dispatched) == "");
}

}  // namespace
}  // namespace wheelwright
