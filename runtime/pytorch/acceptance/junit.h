// Reads and merges test results of pytest in JUnit XML.
// https://docs.pytest.org/en/stable/how-to/output.html#creating-junitxml-format-files
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace wheelwright {

struct FailedTest {
  std::string name;     // "test_nn.TestNN::test_linear"
  std::string message;  // the first line
};

struct TestResults {
  std::size_t tests = 0;
  std::size_t skipped = 0;
  double seconds = 0;
  std::vector<FailedTest> failed;  // including those with an error

  std::size_t passed() const { return tests - skipped - failed.size(); }
};

// Nothing when the text is no such file or is truncated.
std::optional<TestResults> ReadJUnit(std::string_view xml);

// One run of tests.
struct TestRun {
  std::string name;     // "test_nn.py on gfx942"
  std::string junit;    // its results; "" when it did not finish
  std::string problem;  // why it has no results, or failed despite them; ""
  std::string level;    // "smoke"
  // Not run because the level below failed.
  bool not_begun = false;

  // "smoke: smoke_test.py on gfx942".
  std::string Title() const;
};

// Results are there, and nothing failed.
bool IsGood(const TestRun& run);

// The result of each level, in order: "rocm passed, smoke failed, full was not begun".
std::string LevelsInWords(const std::vector<TestRun>& runs);

// The runs as one file, a suite each. The problem of a run becomes an error, so that partial
// results never look like a success; a run that was not begun becomes a skipped test.
std::string MergeJUnit(const std::vector<TestRun>& runs);

// For the step summary: results of levels, a table of runs, and the failed tests.
std::string TestSummary(const std::vector<TestRun>& runs);

}  // namespace wheelwright
