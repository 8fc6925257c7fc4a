#include "runtime/testing/skips.h"

#include <set>

namespace wheelwright {

std::vector<const TestSkip*> SkipsFor(const std::vector<TestSkip>& skips, std::string_view torch,
                                      std::string_view target, std::string_view platform) {
  std::vector<const TestSkip*> fit;
  for (const TestSkip& skip : skips) {
    if ((skip.torch.empty() || HasText(skip.torch, torch)) &&
        (skip.targets.empty() || BeginsLikeAny(target, skip.targets)) &&
        (skip.platforms.empty() || HasText(skip.platforms, platform))) {
      fit.push_back(&skip);
    }
  }
  return fit;
}

std::string SkipExpression(const std::vector<const TestSkip*>& skips) {
  std::string expression;
  std::set<std::string_view> said;
  for (const TestSkip* skip : skips) {
    for (const std::string& test : skip->tests) {
      if (!said.insert(test).second) continue;
      expression += (expression.empty() ? "not " : " and not ") + test;
    }
  }
  return expression;
}

}  // namespace wheelwright
