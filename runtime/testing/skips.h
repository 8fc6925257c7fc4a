// Which of PyTorch's tests are left out, and how pytest is told.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "runtime/plan/build_rules.h"

namespace wheelwright {

// The rows that hold for a minor version ("2.10"), a GPU and a platform, in the order of the
// matrix.
std::vector<const TestSkip*> SkipsFor(const std::vector<TestSkip>& skips, std::string_view torch,
                                      std::string_view target, std::string_view platform);

// The expression for pytest's `-k` that leaves out every test with one of these in its name:
// "not test_a and not test_b"; "" when nothing is left out.
std::string SkipExpression(const std::vector<const TestSkip*>& skips);

}  // namespace wheelwright
