// Runs the tests of an environment with installed wheels on the GPUs of this machine.
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

// The test file of the level smoke.
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

// Runs pytest once for each target GPU, on kSmokeTest or on each file of the level. It is a failure
// if there is no such GPU. When the tests cannot begin, logs an error and returns nothing.
//
// A run that has written its results but does not end is killed after a minute, or a tenth of the
// limit if that is less; its results count. At the limit all runs are killed, and those without
// results are failures.
//
// `stale` gets the obsolete skips of the matrix, whose names no test of this torch has.
std::optional<std::vector<TestRun>> TestTorch(const Suite& suite, Runner& runner, Texts& stale);

}  // namespace wheelwright
