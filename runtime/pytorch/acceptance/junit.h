// Results of tests as pytest writes them: JUnit XML.
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
  std::vector<FailedTest> failed;  // and those that ended in an error

  std::size_t passed() const { return tests - skipped - failed.size(); }
};

// Nothing where the text is no such file, or a part of one.
std::optional<TestResults> ReadJUnit(std::string_view xml);

// One run of tests.
struct TestRun {
  std::string name;     // "test_nn.py on gfx942"
  std::string junit;    // what it wrote; "" when it came to no end
  std::string problem;  // why it has no results, or did not end well in spite of them; "": neither
  std::string level;    // "smoke"
  // The level below failed, so that this one was left out.
  bool not_begun = false;

  // "smoke: smoke_test.py on gfx942".
  std::string Title() const;
};

// Results are there, and nothing failed.
bool IsGood(const TestRun& run);

// What came of each level, in order: "rocm passed, smoke failed, full was not begun".
std::string LevelsInWords(const std::vector<TestRun>& runs);

// The runs as one file, each a suite of its title. A run with a problem has it as an error, so that
// no reader takes what is left for a success; one that was not begun is a skipped test.
std::string MergeJUnit(const std::vector<TestRun>& runs);

// What came of the levels, a table of the runs, and the tests that failed, for the step summary.
std::string TestSummary(const std::vector<TestRun>& runs);

}  // namespace wheelwright
