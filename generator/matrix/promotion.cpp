#include "generator/matrix/promotion.h"

#include <optional>
#include <string>

namespace wheelwright {
namespace {

std::vector<std::string> Texts(const Node* wanted) {
  std::vector<std::string> texts;
  if (wanted == nullptr || wanted->is_null()) return texts;
  if (wanted->is_scalar()) texts.emplace_back(wanted->text);
  for (const Node* item : wanted->items) texts.emplace_back(item->text);
  return texts;
}

std::optional<bool> Flag(const Node* wanted) {
  if (wanted == nullptr || wanted->is_null()) return std::nullopt;
  return wanted->text == "true";
}

}  // namespace

std::vector<PromotionRow> ReadPromotion(const Node* policy) {
  std::vector<PromotionRow> rows;
  if (policy == nullptr) return rows;
  for (const Node* row : policy->items) {
    const Node* when = Find(row, "when");
    rows.push_back({.branches = Texts(Find(when, "branch")),
                    .builds = Texts(Find(when, "build")),
                    .tests = Texts(Find(when, "tests")),
                    .runner = Flag(Find(when, "runner")),
                    .bypass = Flag(Find(when, "bypass")),
                    .promote = FindText(row, "verdict") == "promote",
                    .why = std::string(FindText(row, "why"))});
  }
  return rows;
}

}  // namespace wheelwright
