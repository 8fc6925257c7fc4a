#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <initializer_list>

#include "generator/matrix/combo_checks.h"
#include "generator/matrix/load.h"

namespace wheelwright {

bool CheckSizes(const Matrix& matrix, Diagnostics& diagnostics) {
  std::size_t all = 0;
  const auto add = [&](std::initializer_list<std::size_t> axes, SourceRange where) {
    // No axis is longer than a file of 4 GiB has bytes.
    std::size_t product = 1;
    for (const std::size_t values : axes) product = std::min(product, kMostCombos + 1) * values;
    all += product;
    if (all <= kMostCombos) return true;
    diagnostics.Report({.code = "too-many-combos",
                        .message = fmt::format(
                            "the sets of combos hold more than the {} there can be", kMostCombos),
                        .where = where,
                        .hint = fmt::format("{} of them", fmt::join(axes, " x "))});
    return false;
  };
  const auto size = [](const Node* list) {
    return list == nullptr || list->items.empty() ? std::size_t{1} : list->items.size();
  };
  const std::size_t builds = matrix.families->entries.size() + matrix.gfx_groups->entries.size();
  for (const Entry& set : matrix.combos->entries) {
    if (const Node* platforms = Find(set.value, "platforms")) {
      for (const Entry& platform : platforms->entries) {
        const Node& axes = *platform.value;
        if (!add({builds, size(Find(&axes, "python")), size(Find(&axes, "torch"))},
                 platform.key->where)) {
          return false;
        }
      }
    }
    const Node* includes = Find(set.value, "include");
    if (includes == nullptr) continue;
    for (const Node* row : includes->items) {
      const AxisRule rule = ReadAxisRule(*row);
      const auto values = [&](Axis axis) {
        return std::max<std::size_t>(1, rule.Values(axis).size());
      };
      if (!add({values(Axis::kPlatform), values(Axis::kGfx), values(Axis::kPython),
                values(Axis::kTorch)},
               PlaceOf(*row))) {
        return false;
      }
    }
  }
  return true;
}

}  // namespace wheelwright
