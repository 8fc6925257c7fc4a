// What the commands around indexes say of places that are not there.
#include <catch2/catch.hpp>
#include <fstream>
#include <sstream>

#include "runtime/commands/commands.h"
#include "tests/unit/source_path.h"
#include "tests/unit/test_host.h"

namespace wheelwright {
namespace {

// What it prints when it refuses.
std::string Refused(const std::vector<std::string>& words) {
  TestHost test;
  std::ostringstream plan;
  plan << std::ifstream(SourcePath("generated-workflows/plan.json")).rdbuf();
  test.files.files["plan.json"] = plan.str();
  test.host.variables["WHEELRUN_PLAN"] = "plan.json";
  CHECK(RunProgram(Wheelrun(), words, test.host, &test.host) == kWrongInput);
  CHECK(test.out.str().empty());
  return test.err.str();
}

TEST_CASE("an index of a folder that is not there", "[index]") {
  CHECK(Refused({"index", "no/such"}) == "error[no-folder]: there is no folder 'no/such'\n");
}

TEST_CASE("an index of a bucket that the matrix does not know", "[index]") {
  CHECK(Refused({"index", "--bucket", "therock-nightly-pyton", "--family", "gfx94X-dcgpu"}) ==
        "error[unknown-bucket]: no release type uses the bucket 'therock-nightly-pyton'\n   = did "
        "you mean 'therock-nightly-python'?\n   = for a bucket that is not in the matrix, give the "
        "release type: --release-type nightly\n");
}

TEST_CASE("a release type that is none", "[index]") {
  CHECK(Refused({"promote", "--platform", "linux", "--family", "gfx94X-dcgpu", "--output-dir", "x",
                 "--release-type", "nightl", "--build-result", "success"}) ==
        "error[unknown-release-type]: no release type is called 'nightl'\n"
        "   = did you mean 'nightly'?\n");
}

TEST_CASE("a yank of a file that is not there", "[index]") {
  CHECK(Refused({"index", "yank", "a.whl", "--reason", "x", "--output-dir", "no"}) ==
        "error[unknown-file]: /src/no/ has no file 'a.whl'\n");
}

}  // namespace
}  // namespace wheelwright
