// The promotion policy of matrix/release.yml, as both programs decide by it.
#pragma once

#include <vector>

#include "generator/yaml/node.h"
#include "selection/promotion.h"

namespace wheelwright {

// The rows of `promotion`; none for null.
std::vector<PromotionRow> ReadPromotion(const Node* policy);

}  // namespace wheelwright
