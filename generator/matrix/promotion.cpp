#include "generator/matrix/promotion.h"

#include <algorithm>

#include "base/text.h"

namespace wheelwright {
namespace {

bool Fits(const Node* wanted, std::string_view actual) {
  if (wanted == nullptr || wanted->is_null()) return true;
  if (wanted->is_sequence()) {
    return std::any_of(wanted->items.begin(), wanted->items.end(),
                       [&](const Node* item) { return Fits(item, actual); });
  }
  return wanted->is_scalar() && MatchesGlob(wanted->text, actual);
}

}  // namespace

const Node* DecidePromotion(const Node* policy, const PromotionCase& asked) {
  if (policy == nullptr) return nullptr;
  const auto as_text = [](bool value) { return value ? "true" : "false"; };
  for (const Node* row : policy->items) {
    const Node* when = Find(row, "when");
    if (Fits(Find(when, "branch"), asked.branch) && Fits(Find(when, "build"), asked.build) &&
        Fits(Find(when, "tests"), asked.tests) &&
        Fits(Find(when, "runner"), as_text(asked.runner)) &&
        Fits(Find(when, "bypass"), as_text(asked.bypass))) {
      return row;
    }
  }
  return nullptr;
}

bool IsPromoted(const Node* decided) { return FindText(decided, "verdict") == "promote"; }

}  // namespace wheelwright
