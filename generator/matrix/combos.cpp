#include "generator/matrix/combos.h"

#include <fmt/format.h>

#include <algorithm>

#include "generator/matrix/axis_rule.h"
#include "generator/matrix/combo_checks.h"
#include "generator/matrix/combo_set.h"
#include "generator/matrix/load.h"
#include "generator/matrix/promotion.h"

namespace wheelwright {
namespace {

// A release type takes every combo of its sets that none of its excludes is about. Each has one
// bit; the sixty-fifth would have none.
void ApplyReleaseTypes(const Matrix& matrix, Combos& combos, Diagnostics& diagnostics) {
  const auto& types = matrix.release_types->entries;
  if (types.size() > 64) return ReportTooManyReleaseTypes(*matrix.release_types, diagnostics);
  for (const Entry& type : types) combos.release_types.push_back(type.key->text);
  for (ComboSet& set : combos.sets) {
    const Node* named = Find(Find(matrix.combos, set.name), "release_types");
    for (std::size_t i = 0; i < types.size(); ++i) {
      const auto is_it = [&](const Node* name) { return name->text == types[i].key->text; };
      const bool takes = named == nullptr || !named->is_sequence() ||
                         std::any_of(named->items.begin(), named->items.end(), is_it);
      if (takes) set.release_types |= std::uint64_t{1} << i;
    }
    for (ComboPlatform& platform : set.platforms) {
      for (Combo& combo : platform.combos) {
        if (combo.out == nullptr) combo.release_types = set.release_types;
      }
    }
  }
  for (std::size_t i = 0; i < types.size(); ++i) {
    const Node* excludes = Find(types[i].value, "exclude");
    if (excludes == nullptr) continue;
    const std::uint64_t bit = std::uint64_t{1} << i;
    const std::string owner = fmt::format("release type '{}'", types[i].key->text);
    std::vector<const ComboPlatform*> platforms;
    for (const ComboSet& set : combos.sets) {
      if ((set.release_types & bit) == 0) continue;
      for (const ComboPlatform& platform : set.platforms) platforms.push_back(&platform);
    }
    for (const Node* row : excludes->items) {
      const AxisRule rule = ReadAxisRule(*row);
      if (!CheckValues(rule, platforms, owner, diagnostics)) continue;
      std::size_t removed = 0;
      for (ComboSet& set : combos.sets) {
        ForEachCovered(rule, set.platforms, [&](ComboPlatform&, Combo& combo) {
          if ((combo.release_types & bit) != 0) ++removed;
          combo.release_types &= ~bit;
        });
      }
      if (removed == 0) ReportUnusedExclude(*row, owner, nullptr, diagnostics);
    }
  }
}

}  // namespace

const ComboSet* Combos::FindSet(std::string_view name) const {
  const auto found =
      std::find_if(sets.begin(), sets.end(), [&](const ComboSet& set) { return set.name == name; });
  return found == sets.end() ? nullptr : &*found;
}

Promotes PromotionOf(std::span<const GfxMember> members, bool tests, const Node* policy) {
  std::vector<PromotedFamily> families;
  for (const GfxMember& member : members) {
    families.push_back({.runner = !member.runner.empty(), .bypass = member.bypass});
  }
  return ExpectPromotion(ReadPromotion(policy), families, tests);
}

Combos ComputeCombos(const Matrix& matrix, Arena& arena, Diagnostics& diagnostics) {
  Combos combos;
  if (!CheckSizes(matrix, diagnostics)) return combos;
  CheckGroups(matrix, diagnostics);
  for (const Entry& set : matrix.combos->entries) {
    combos.sets.push_back(MakeComboSet(set, matrix, combos, arena, diagnostics));
  }
  ApplyReleaseTypes(matrix, combos, diagnostics);
  CheckCombos(matrix, combos, diagnostics);
  return combos;
}

}  // namespace wheelwright
