#include <catch2/catch.hpp>
#include <string>

#include "runtime/pytorch/acceptance/installation.h"
#include "runtime/pytorch/acceptance/junit.h"
#include "runtime/pytorch/acceptance/suite.h"
#include "tests/unit/said.h"

namespace wheelwright {
namespace {

constexpr const char* kMixed = R"(<?xml version="1.0" encoding="utf-8"?>
<testsuites name="pytest tests"><testsuite name="pytest" errors="1" failures="1" skipped="1" tests="4" time="2.5">
<testcase classname="test_nn.TestNN" name="test_linear" time="1.0" />
<testcase classname="test_nn.TestNN" name="test_bad|one" time="1.5"><failure message="assert 1 == 2&#10;more">trace</failure></testcase>
<testcase classname="test_nn.TestNN" name="test_broken" time="0"><error message="failed on setup with &lt;x&gt;">trace</error></testcase>
<testcase classname="test_nn.TestNN" name="test_left_out" time="0"><skipped message="no" /></testcase>
</testsuite></testsuites>)";

constexpr const char* kGood = "<testsuite><testcase classname='a' name='b'/></testsuite>";

TEST_CASE("results are read as pytest writes them", "[testing]") {
  const auto results = ReadJUnit(kMixed);
  REQUIRE(results);
  CHECK(results->tests == 4);
  CHECK(results->passed() == 1);
  CHECK(results->skipped == 1);
  CHECK(results->seconds == Approx(2.5));
  REQUIRE(results->failed.size() == 2);
  CHECK(results->failed[0].name == "test_nn.TestNN::test_bad|one");
  CHECK(results->failed[0].message == "assert 1 == 2");
  CHECK(results->failed[1].message == "failed on setup with <x>");
  CHECK(ReadJUnit("<testsuite><testcase name='a'/></testsuite>")->tests == 1);
}

TEST_CASE("half a file has no results", "[testing]") {
  const std::string whole = kMixed;
  for (std::size_t length = 0; length < whole.size(); length += 7) {
    INFO(length);
    CHECK_FALSE(ReadJUnit(whole.substr(0, length)));
  }
  CHECK_FALSE(ReadJUnit("{}"));
  CHECK_FALSE(ReadJUnit("<html/>"));
}

TEST_CASE("runs are filed as one", "[testing]") {
  const std::string merged =
      MergeJUnit({{.name = "test_nn.py on gfx942", .junit = kMixed},
                  {.name = "test_cuda.py on gfx942", .problem = "it ended before its results"}});
  const auto results = ReadJUnit(merged);
  REQUIRE(results);
  CHECK(results->tests == 5);
  CHECK(results->failed.size() == 3);
  CHECK(merged.find("<testsuite name=\"test_nn.py on gfx942\"") != std::string::npos);
  CHECK(results->failed[2].name == "test_cuda.py on gfx942::the run itself");
}

TEST_CASE("a failed test that stands in no suite is filed too", "[testing]") {
  const TestRun run{.name = "x",
                    .junit =
                        "<testsuites><properties/><testcase classname='a' name='b'>"
                        "<failure message='c'/></testcase></testsuites>"};
  CHECK_FALSE(IsGood(run));
  const auto results = ReadJUnit(MergeJUnit({run}));
  REQUIRE(results);
  REQUIRE(results->failed.size() == 1);
  CHECK(results->failed[0].name == "a::b");
  CHECK_FALSE(ReadJUnit("<testsuite/><testsuite/>"));
}

TEST_CASE("a level that was not started is neither a success nor a failure", "[testing]") {
  const std::vector<TestRun> runs{{.name = "x", .junit = kGood, .level = "smoke"},
                                  {.level = "full", .not_begun = true}};
  CHECK(IsGood(runs[0]));
  CHECK_FALSE(IsGood(runs[1]));
  const std::string merged = MergeJUnit(runs);
  CHECK(merged.find("<testsuite name=\"full\" tests=\"1\" skipped=\"1\">") != std::string::npos);
  const auto results = ReadJUnit(merged);
  REQUIRE(results);
  CHECK(results->skipped == 1);
  CHECK(results->failed.empty());
  CHECK(LevelsInWords(runs) == "smoke passed, full was not started");
}

TEST_CASE("the summary shows numbers and failures", "[testing]") {
  CHECK(TestSummary(
            {{.name = "rocm-sdk test", .junit = kGood, .level = "rocm"},
             {.name = "test_nn.py on gfx942", .junit = kMixed, .level = "smoke"},
             {.name = "test_cuda.py on gfx942", .problem = "it ended | badly", .level = "smoke"},
             {.level = "full", .not_begun = true}}) ==
        R"(### Tests: rocm passed, smoke failed, full was not started

| tests | passed | failed | skipped | time |
| --- | ---: | ---: | ---: | ---: |
| rocm: rocm-sdk test | 1 | 0 | 0 | 0 s |
| smoke: test_nn.py on gfx942 | 1 | 2 | 1 | 2 s |
| smoke: test_cuda.py on gfx942: it ended \| badly | | **1** | | |

| failed | because |
| --- | --- |
| test_nn.TestNN::test_bad\|one | assert 1 == 2 |
| test_nn.TestNN::test_broken | failed on setup with \<x> |
)");
}

TEST_CASE("the smoke test is part of the program", "[testing]") {
  CHECK(kSmokeTest.find("def test_a_gpu_is_available") != std::string_view::npos);
}

TEST_CASE("own requirements are exact ones of the build's projects", "[testing]") {
  const Texts own{"rocm", "triton"};
  for (const auto& [line, expected] :
       {std::pair("rocm[libraries]==7.12.0", "rocm[libraries]==7.12.0"),
        std::pair("rocm[libraries] (==7.12.0) ; sys_platform == 'linux'",
                  "rocm[libraries]==7.12.0"),
        std::pair("Triton==3.5.1+rocm7.12.0", "Triton==3.5.1+rocm7.12.0"),
        std::pair("triton>=3", ""), std::pair("triton==3.*", ""), std::pair("triton", ""),
        std::pair("rocm-other==1", ""), std::pair("filelock==1", ""), std::pair("", "")}) {
    INFO(line);
    CHECK(OwnRequirement(line, own) == expected);
  }
}

TEST_CASE("pinned wheels are read, and every mistake in them is told", "[testing]") {
  const auto errors = [](const std::string& json) {
    Diagnostics diagnostics;
    const auto read = ReadPinnedWheels(json, diagnostics);
    CHECK(read.has_value() == diagnostics.empty());
    return Said(diagnostics);
  };
  const std::string sum(64, 'a');
  Diagnostics diagnostics;
  const auto wheels = ReadPinnedWheels(
      R"({"torch-2.10.0+rocm7.12.0-cp312-cp312-linux_x86_64.whl": ")" + sum + "\"}", diagnostics);
  REQUIRE(wheels);
  REQUIRE(wheels->size() == 1);
  CHECK(wheels->front().project == "torch");
  CHECK(wheels->front().version == "2.10.0+rocm7.12.0");
  CHECK(wheels->front().sha256 == sum);
  CHECK(errors("{}").empty());
  CHECK(errors("[]").starts_with("error[option-value]: '--wheels' is no JSON object\n"));
  const std::string good = "\"torch-2.10.0-cp312-cp312-linux_x86_64.whl\": \"" + sum + "\"";
  CHECK(errors("{" + good + ", \"torch-2.9.0-cp312-cp312-linux_x86_64.whl\": \"" + sum + "\"}")
            .starts_with("error[option-value]: '--wheels' has two wheels of torch\n"));
  CHECK(errors(R"({"torch-2.10.0-cp312-cp312-linux_x86_64.whl": "abc"})")
            .starts_with("error[option-value]: '--wheels' has no SHA-256 for "
                         "'torch-2.10.0-cp312-cp312-linux_x86_64.whl'\n"));
  CHECK(errors(R"({"torch.whl": ")" + sum + "\"}")
            .starts_with("error[option-value]: '--wheels' names 'torch.whl': "));
  CHECK(errors(R"({"../torch-2.10.0-cp312-cp312-linux_x86_64.whl": ")" + sum + "\"}")
            .starts_with("error[option-value]: '--wheels' names "));
}

}  // namespace
}  // namespace wheelwright
