// The tests of an environment into which wheels were installed, on the GPUs of this machine.
#pragma once

#include <chrono>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/host/programs/runner.h"
#include "runtime/pytorch/acceptance/gpus.h"
#include "runtime/pytorch/acceptance/junit.h"
#include "runtime/wheels/plan/plan.h"

namespace wheelwright {

// The file that level smoke runs.
extern const std::string_view kSmokeTest;

struct Suite {
  const Plan& plan;
  const TestLevel& level;
  std::chrono::seconds limit;  // for all tests of the level
  std::string platform;
  std::string family;
  Texts targets;
  std::string environment;  // the folder of the virtual environment, absolute
  std::string sources;      // PyTorch's, absolute; for level full
  std::string torch_ref;    // "" when it is not known
  Texts pytest_words;       // more arguments for pytest

  bool windows() const { return platform == "windows"; }
  // A program of the environment.
  std::string Program(std::string_view name) const;
};

// `rocm-sdk test`.
std::vector<TestRun> TestRocm(const Suite& suite, Runner& runner);

// Pytest, once for each kind of GPU that the wheels are for: on the file above, or on each file of
// the level. Without such a GPU that is a failure. Nothing: the tests could not begin, which was
// said.
//
// A run that has written its results and does not end is ended after a minute, or a tenth of the
// limit if that is less; then the results count. Past the limit everything is ended, and what has
// no results is a failure.
//
// `stale` gets the skips of the matrix that can go: names that no test of this torch bears.
std::optional<std::vector<TestRun>> TestTorch(const Suite& suite, Runner& runner, Texts& stale);

}  // namespace wheelwright
