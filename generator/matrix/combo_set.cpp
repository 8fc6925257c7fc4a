#include "generator/matrix/combo_set.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "generator/matrix/axis_rule.h"
#include "generator/matrix/combo_checks.h"
#include "generator/matrix/load.h"

namespace wheelwright {
namespace {

// Letters, digits and underscores stay, dots go, the rest becomes an underscore.
std::string IdPart(std::string_view text) {
  std::string id;
  for (const char c : text) {
    const bool plain = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    if (plain || c == '_') {
      id += c;
    } else if (c != '.') {
      id += '_';
    }
  }
  return id;
}

// "torch_210" is told apart by its number, "torch_nightly" by its word: py312_torch210,
// py312_nightly.
std::string TorchPart(std::string_view id) {
  constexpr std::string_view kPrefix = "torch_";
  if (!id.starts_with(kPrefix) || id.size() == kPrefix.size()) return IdPart(id);
  const std::string_view rest = id.substr(kPrefix.size());
  return (rest[0] >= '0' && rest[0] <= '9' ? "torch" : "") + IdPart(rest);
}

bool IsTrue(const Node* row, std::string_view column) {
  const Node* value = Find(row, column);
  return value != nullptr && value->is_true();
}

class SetBuilder {
 public:
  SetBuilder(const Matrix& matrix, Combos& combos, Arena& arena, Diagnostics& diagnostics)
      : matrix_(matrix), combos_(combos), arena_(arena), diagnostics_(diagnostics) {}

  ComboSet Build(const Entry& entry) {
    ComboSet set{.name = entry.key->text, .where = entry.key->where, .platforms = {}};
    owner_ = fmt::format("set '{}'", set.name);
    const Node* platforms = Find(entry.value, "platforms");
    if (platforms != nullptr) {
      for (const Entry& platform : platforms->entries) {
        const Node* row = Find(matrix_.platforms, platform.key->text);
        if (row == nullptr || !platform.value->is_mapping()) continue;
        set.platforms.push_back(MakePlatform(platform.key->text, row));
        AddAxes(set.platforms.back(), *platform.value);
        MakeProduct(set.platforms.back());
      }
    }
    if (const Node* rules = Find(entry.value, "exclude")) {
      for (const Node* row : rules->items) Exclude(*row, set);
    }
    if (const Node* rules = Find(entry.value, "include")) {
      for (const Node* row : rules->items) Include(*row, set);
    }
    for (ComboPlatform& platform : set.platforms) Finish(platform, set);
    return set;
  }

 private:
  const OutReason* AddReason(OutReason reason) {
    combos_.reasons.push_back(std::move(reason));
    return &combos_.reasons.back();
  }

  std::string_view Keep(const std::string& text) { return arena_.Copy(std::string_view(text)); }

  ComboPlatform MakePlatform(std::string_view name, const Node* row) {
    ComboPlatform platform;
    platform.name = name;
    platform.row = row;
    AddBuilds(platform);
    return platform;
  }

  GfxMember MakeMember(const Entry& family, const Node& columns) {
    GfxMember member;
    member.key = family.key->text;
    member.name = FindText(&columns, "family");
    member.tier = FindText(family.value, "tier");
    member.runner = FindText(&columns, "test_runs_on");
    member.bypass = IsTrue(&columns, "bypass_tests_for_releases");
    member.columns = &columns;
    member.where = family.key->where;
    return member;
  }

  // The gfx axis: the rows of the families in their order; a group stands where its first member
  // does.
  void AddBuilds(ComboPlatform& platform) {
    std::vector<std::string_view> placed;
    for (const Entry& family : matrix_.families->entries) {
      GfxBuild build;
      build.key = build.name = family.key->text;
      build.tier = FindText(family.value, "tier");
      build.where = family.key->where;
      const Entry* group = FindGroup(matrix_, platform.name, family.key->text);
      const Node* columns = Find(family.value, platform.name);
      if (columns == nullptr || !columns->is_mapping()) {
        build.out = AddReason({OutKind::kNoRow,
                               Keep(fmt::format("no row for {}", platform.name)),
                               {},
                               family.key->where});
      } else {
        build.members.push_back(MakeMember(family, *columns));
        build.name = build.members[0].name;
        build.promotes = PromotionOf(build.members, true, matrix_.promotion);
        const Node* failure = Find(Find(columns, "known_failures"), "pytorch");
        if (failure != nullptr && failure->is_string()) {
          build.out =
              AddReason({OutKind::kKnownFailure, "known failure", failure->text, failure->where});
        } else if (group != nullptr) {
          if (std::find(placed.begin(), placed.end(), group->key->text) == placed.end()) {
            placed.push_back(group->key->text);
            platform.builds.push_back(MakeGroup(platform, *group));
          }
          build.out = AddReason({OutKind::kGrouped,
                                 Keep(fmt::format("built in the group '{}'", group->key->text)),
                                 {},
                                 group->key->where});
        }
      }
      platform.builds.push_back(std::move(build));
    }
  }

  GfxBuild MakeGroup(const ComboPlatform& platform, const Entry& group) {
    GfxBuild build;
    build.key = build.name = group.key->text;
    build.where = group.key->where;
    build.group = group.value;
    for (const Node* item : Find(group.value, "families")->items) {
      const Entry* family = FindEntry(matrix_.families, item->text);
      const Node* columns = family == nullptr ? nullptr : Find(family->value, platform.name);
      if (columns == nullptr || !columns->is_mapping()) continue;
      build.members.push_back(MakeMember(*family, *columns));
      const Entry* tier = FindEntry(matrix_.tiers, build.members.back().tier);
      const Entry* first = FindEntry(matrix_.tiers, build.tier);
      if (first == nullptr || tier < first) build.tier = build.members.back().tier;
    }
    build.promotes = PromotionOf(build.members, true, matrix_.promotion);
    return build;
  }

  std::uint32_t PythonAt(ComboPlatform& platform, const Node& cell) {
    const auto same = [&](const PythonValue& python) { return python.version == cell.text; };
    const auto found = std::find_if(platform.pythons.begin(), platform.pythons.end(), same);
    const auto at = static_cast<std::uint32_t>(found - platform.pythons.begin());
    if (found == platform.pythons.end()) {
      platform.pythons.push_back({cell.text, Keep("py" + IdPart(cell.text)), &cell});
    }
    return at;
  }

  // `cell` must name a row of the table.
  std::uint32_t TorchAt(ComboPlatform& platform, const Node& cell) {
    const auto same = [&](const TorchValue& torch) { return torch.ref == cell.text; };
    const auto found = std::find_if(platform.torches.begin(), platform.torches.end(), same);
    const auto at = static_cast<std::uint32_t>(found - platform.torches.begin());
    if (found == platform.torches.end()) {
      const Node* row = Find(matrix_.torch, cell.text);
      const std::string_view id = FindText(row, "id");
      platform.torches.push_back({cell.text, id, Keep(TorchPart(id)), row, &cell});
    }
    return at;
  }

  void AddAxes(ComboPlatform& platform, const Node& axes) {
    if (const Node* pythons = Find(&axes, "python")) {
      for (const Node* cell : pythons->items) PythonAt(platform, *cell);
    }
    if (const Node* torches = Find(&axes, "torch")) {
      for (const Node* cell : torches->items) {
        if (Find(matrix_.torch, cell->text) != nullptr) TorchAt(platform, *cell);
      }
    }
  }

  static void MakeProduct(ComboPlatform& platform) {
    platform.combos.reserve(platform.builds.size() * platform.pythons.size() *
                            platform.torches.size());
    for (std::uint32_t b = 0; b < platform.builds.size(); ++b) {
      GfxBuild& build = platform.builds[b];
      build.first = platform.combos.size();
      build.size = platform.pythons.size() * platform.torches.size();
      for (std::uint32_t p = 0; p < platform.pythons.size(); ++p) {
        for (std::uint32_t t = 0; t < platform.torches.size(); ++t) {
          Combo combo;
          combo.build = b;
          combo.python = p;
          combo.torch = t;
          combo.promotes = build.promotes;
          combo.out = build.out;
          platform.combos.push_back(combo);
        }
      }
    }
  }

  void Exclude(const Node& row, ComboSet& set) {
    const AxisRule rule = ReadAxisRule(row);
    std::vector<const ComboPlatform*> platforms;
    for (const ComboPlatform& platform : set.platforms) platforms.push_back(&platform);
    if (!CheckValues(rule, platforms, owner_, diagnostics_)) return;
    const OutReason* reason = AddReason(
        {OutKind::kExcluded, FindText(&row, "why"), FindText(&row, "issue"), PlaceOf(row)});
    std::size_t removed = 0;
    const OutReason* before = nullptr;
    ForEachCovered(rule, set.platforms, [&](ComboPlatform&, Combo& combo) {
      if (combo.out == nullptr) {
        combo.out = reason;
        ++removed;
      } else if (before == nullptr || combo.out->kind == OutKind::kExcluded) {
        before = combo.out;
      }
    });
    if (removed == 0) ReportUnusedExclude(row, owner_, before, diagnostics_);
  }

  void Include(const Node& row, ComboSet& set) {
    std::vector<Entry> columns;
    for (const Entry& entry : row.entries) {
      const std::string_view key = entry.key->text;
      const bool axis =
          std::any_of(kAxes.begin(), kAxes.end(), [&](Axis a) { return NameOf(a) == key; });
      const bool written = entry.key->where.known();  // not filled in
      if (axis || !written || IsRemark(key)) continue;
      if (IsReservedColumn(entry, diagnostics_)) return;
      columns.push_back(entry);
    }
    const AxisRule folded = ReadAxisRule(row);
    // Combos that had the same columns before have the same object after.
    std::map<const ExtraColumns*, const ExtraColumns*> widened;
    const auto widen = [&](const ExtraColumns* before) {
      const ExtraColumns*& wide = widened[before];
      if (wide == nullptr) wide = Widen(before, columns, row);
      return wide;
    };
    for (const AxisRule& rule : Unfold(folded)) {
      std::size_t matched = 0;
      ForEachCovered(rule, set.platforms, [&](ComboPlatform&, Combo& combo) {
        if (combo.out != nullptr || combo.include != nullptr) return;
        ++matched;
        combo.extras = widen(combo.extras);
      });
      if (matched == 0) {
        MakeCombo(rule, columns.empty() ? nullptr : widen(nullptr), set);
      } else if (columns.empty()) {
        ReportUnusedInclude(rule, owner_, diagnostics_);
      }
    }
  }

  const ExtraColumns* Widen(const ExtraColumns* before, std::span<const Entry> columns,
                            const Node& row) {
    ExtraColumns wide;
    if (before != nullptr) wide = *before;
    for (const Entry& column : columns) {
      const auto same =
          std::find_if(wide.columns.begin(), wide.columns.end(),
                       [&](const Entry& entry) { return entry.key->text == column.key->text; });
      if (same == wide.columns.end()) {
        wide.columns.push_back(column);
      } else {
        *same = column;
      }
    }
    wide.includes.push_back(&row);
    combos_.extras.push_back(std::move(wide));
    return &combos_.extras.back();
  }

  ComboPlatform* FindOrMakePlatform(const Node& name, ComboSet& set) {
    for (ComboPlatform& platform : set.platforms) {
      if (platform.name == name.text) return &platform;
    }
    const Node* row = Find(matrix_.platforms, name.text);
    if (row == nullptr) return nullptr;
    set.platforms.push_back(MakePlatform(name.text, row));
    MakeProduct(set.platforms.back());
    return &set.platforms.back();
  }

  // An include that no combo of the product fits is a combo of its own.
  void MakeCombo(const AxisRule& rule, const ExtraColumns* extras, ComboSet& set) {
    for (const Axis axis : kAxes) {
      if (!rule.Has(axis))
        return ReportIncompleteInclude(rule, owner_, set.platforms, diagnostics_);
    }
    ComboPlatform* platform = FindOrMakePlatform(*rule.Values(Axis::kPlatform)[0], set);
    const Node& torch = *rule.Values(Axis::kTorch)[0];
    // Names that are nowhere defined were reported when the matrix was validated.
    if (platform == nullptr || Find(matrix_.torch, torch.text) == nullptr) return;
    const Node& gfx = *rule.Values(Axis::kGfx)[0];
    GfxBuild* build = nullptr;
    for (GfxBuild& candidate : platform->builds) {
      if (Answers(candidate, gfx.text) && (build == nullptr || build->out != nullptr))
        build = &candidate;
    }
    if (build == nullptr || build->out != nullptr) {
      return ReportIncludedBuild(gfx, *platform, build, diagnostics_);
    }
    Combo combo;
    combo.build = static_cast<std::uint32_t>(build - platform->builds.data());
    combo.python = PythonAt(*platform, *rule.Values(Axis::kPython)[0]);
    combo.torch = TorchAt(*platform, torch);
    combo.promotes = build->promotes;
    combo.include = rule.row;
    combo.extras = extras;
    // It takes its place among the combos of its build: that of an excluded one, else the last.
    const auto first = platform->combos.begin() + static_cast<std::ptrdiff_t>(build->first);
    const auto end = first + static_cast<std::ptrdiff_t>(build->size);
    const auto same = std::find_if(first, end, [&](const Combo& other) {
      return other.python == combo.python && other.torch == combo.torch;
    });
    if (same == end) {
      platform->combos.insert(end, combo);
      ++build->size;
      for (GfxBuild& later : platform->builds) {
        if (&later > build) ++later.first;
      }
    } else if (same->out == nullptr) {
      ReportCombosTwice(rule, *same->include, diagnostics_);
    } else {
      *same = combo;
    }
  }

  void Finish(ComboPlatform& platform, ComboSet& set) {
    for (const PythonValue& python : platform.pythons) {
      for (const TorchValue& torch : platform.torches) {
        platform.ids.push_back(Keep(fmt::format("{}_{}", python.id, torch.part)));
      }
    }
    for (Combo& combo : platform.combos) {
      GfxBuild& build = platform.builds[combo.build];
      if (combo.extras != nullptr) {
        for (const Entry& column : combo.extras->columns) {
          if (column.key->text == "tests") combo.tests = column.value->is_true();
        }
        if (!combo.tests) combo.promotes = PromotionOf(build.members, false, matrix_.promotion);
      }
      if (combo.out == nullptr) ++build.in;
    }
    for (const GfxBuild& build : platform.builds) platform.in += build.in;
    set.in += platform.in;
    set.out += platform.combos.size() - platform.in;
  }

  const Matrix& matrix_;
  Combos& combos_;
  Arena& arena_;
  Diagnostics& diagnostics_;
  std::string owner_;
};

}  // namespace

ComboSet MakeComboSet(const Entry& entry, const Matrix& matrix, Combos& combos, Arena& arena,
                      Diagnostics& diagnostics) {
  return SetBuilder(matrix, combos, arena, diagnostics).Build(entry);
}

}  // namespace wheelwright
