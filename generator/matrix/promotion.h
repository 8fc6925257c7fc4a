// The policy that says whether staged wheels move to the release folder: `promotion` of
// matrix/release.yml.
#pragma once

#include <string_view>

#include "generator/yaml/node.h"

namespace wheelwright {

// What is known when the question is asked. `build` and `tests` are results of jobs as GitHub names
// them: success, failure, cancelled, skipped.
struct PromotionCase {
  std::string_view branch;
  std::string_view build;
  std::string_view tests;
  bool runner = false;  // a machine tests the family
  bool bypass = false;  // the matrix lets the family go untested
};

// The first row of the policy whose `when` fits, or null when none does. A value of `when` may be a
// list (any of them) and may hold `*` for any text; a column that is absent or null fits always.
const Node* DecidePromotion(const Node* policy, const PromotionCase& asked);

// Whether that row says to promote. False for null.
bool IsPromoted(const Node* decided);

}  // namespace wheelwright
