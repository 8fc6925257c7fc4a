// Reading any text as JUnit ends, and a failed test remains a failed test in the merged file.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>

#include "runtime/pytorch/acceptance/junit.h"
#include "tests/fuzz/fuzzer.h"

namespace wheelwright {
namespace {

const Fuzzer kJunit("junit", [](const std::uint8_t* data, std::size_t size) {
  TestRun run;
  run.name = "test_nn.py";
  run.level = "full";
  run.junit.assign(reinterpret_cast<const char*>(data), size);
  const auto results = ReadJUnit(run.junit);
  if (results) {
    Require(results->failed.size() + results->skipped <= results->tests, "more ends than tests");
  }
  const std::string merged = MergeJUnit({run});
  const auto again = ReadJUnit(merged);
  // Merging nests a file more deeply, so a file of the maximum depth exceeds it in the merged file.
  const bool deep = std::ranges::count(run.junit, '<') > 90;
  Require(again.has_value() || deep, "the merged file cannot be read");
  if (results && again) {
    Require(again->failed.size() >= results->failed.size(), "a failed test is lost");
  }
  Require(!TestSummary({run}).empty(), "no summary");
});

}  // namespace
}  // namespace wheelwright
