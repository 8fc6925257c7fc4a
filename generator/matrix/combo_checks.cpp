#include "generator/matrix/combo_checks.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <utility>

#include "base/text.h"
#include "generator/matrix/load.h"

namespace wheelwright {
namespace {

const Node* ColumnsOf(const Matrix& matrix, std::string_view family, std::string_view platform) {
  const Node* columns = Find(Find(matrix.families, family), platform);
  return columns != nullptr && columns->is_mapping() ? columns : nullptr;
}

const Node* PytorchFailure(const Node* columns) {
  const Node* failure = Find(Find(columns, "known_failures"), "pytorch");
  return failure != nullptr && failure->is_string() ? failure : nullptr;
}

// Two combos of a build must not be called the same, so no two cells of Python x PyTorch may.
void CheckIds(const ComboSet& set, Diagnostics& diagnostics) {
  for (const ComboPlatform& platform : set.platforms) {
    std::map<std::string_view, std::size_t> cells;
    for (std::size_t i = 0; i < platform.ids.size(); ++i) {
      const auto [first, is_new] = cells.emplace(platform.ids[i], i);
      if (is_new) continue;
      const std::size_t columns = platform.torches.size();
      const PythonValue& python = platform.pythons[i / columns];
      const TorchValue& torch = platform.torches[i % columns];
      const PythonValue& first_python = platform.pythons[first->second / columns];
      const TorchValue& first_torch = platform.torches[first->second % columns];
      const bool pythons_differ = python.cell != first_python.cell;
      diagnostics.Report(
          {.code = "duplicate-combo",
           .message =
               fmt::format("two combos of set '{}' on {} are called '{}': python {} with torch {}, "
                           "and python {} with torch {}",
                           set.name, platform.name, platform.ids[i], first_python.version,
                           first_torch.ref, python.version, torch.ref),
           .where = (pythons_differ ? python.cell : torch.cell)->where,
           .related = {{(pythons_differ ? first_python.cell : first_torch.cell)->where,
                        "the first"}},
           .notes = {"combos are called by the Python version and the id of the torch row"}});
      return;  // one pair of values makes many pairs of combos
    }
  }
}

void CheckAxes(const ComboSet& set, Diagnostics& diagnostics) {
  const auto report = [&](const ComboPlatform& platform, Axis axis, std::string_view value,
                          SourceRange where) {
    diagnostics.Report(
        {.code = "unused-axis-value",
         .message = fmt::format("no combo of set '{}' on {} has {} '{}': all are out", set.name,
                                platform.name, NameOf(axis), value),
         .where = where,
         .notes = {"`wheelwright plan --combos` says why each is out"}});
  };
  for (const ComboPlatform& platform : set.platforms) {
    std::vector<char> pythons(platform.pythons.size()), torches(platform.torches.size());
    for (const Combo& combo : platform.combos) {
      if (combo.out != nullptr) continue;
      pythons[combo.python] = 1;
      torches[combo.torch] = 1;
    }
    for (std::size_t i = 0; i < pythons.size(); ++i) {
      const PythonValue& python = platform.pythons[i];
      if (!pythons[i]) report(platform, Axis::kPython, python.version, python.cell->where);
    }
    for (std::size_t i = 0; i < torches.size(); ++i) {
      const TorchValue& torch = platform.torches[i];
      if (!torches[i]) report(platform, Axis::kTorch, torch.ref, torch.cell->where);
    }
  }
}

void CheckTorchRows(const Matrix& matrix, const Combos& combos, Diagnostics& diagnostics) {
  std::set<std::string_view> listed;
  for (const ComboSet& set : combos.sets) {
    for (const ComboPlatform& platform : set.platforms) {
      for (const TorchValue& torch : platform.torches) listed.insert(torch.ref);
    }
  }
  for (const Entry& row : matrix.torch->entries) {
    if (listed.contains(row.key->text)) continue;
    diagnostics.Report({.code = "unused-torch-ref",
                        .message = fmt::format("no set of combos builds '{}'", row.key->text),
                        .where = row.key->where,
                        .notes = {"name it in an axis of `combos`, or drop the row"}});
  }
}

// A family that has a row and whose PyTorch is not known to fail is meant to be built somewhere.
void CheckFamilies(const Matrix& matrix, const Combos& combos, Diagnostics& diagnostics) {
  std::set<std::string_view> built;
  for (const ComboSet& set : combos.sets) {
    for (const ComboPlatform& platform : set.platforms) {
      for (const GfxBuild& build : platform.builds) {
        if (build.in == 0) continue;
        for (const GfxMember& member : build.members) built.insert(member.key);
      }
    }
  }
  for (const Entry& family : matrix.families->entries) {
    if (built.contains(family.key->text)) continue;
    bool can_be_built = false;
    for (const Entry& platform : matrix.platforms->entries) {
      const Node* columns = ColumnsOf(matrix, family.key->text, platform.key->text);
      can_be_built = can_be_built || (columns != nullptr && PytorchFailure(columns) == nullptr);
    }
    if (!can_be_built) continue;
    diagnostics.Report(
        {.code = "unused-family",
         .message = fmt::format("no combo of any set is built for '{}'", family.key->text),
         .where = family.key->where,
         .notes = {
             "if PyTorch cannot be built for it, say so: `known_failures: {pytorch: ISSUE}`"}});
  }
}

}  // namespace

const Entry* FindGroup(const Matrix& matrix, std::string_view platform, std::string_view family) {
  const auto lists = [](const Node* list, std::string_view name) {
    return list != nullptr && std::any_of(list->items.begin(), list->items.end(),
                                          [&](const Node* item) { return item->text == name; });
  };
  for (const Entry& group : matrix.gfx_groups->entries) {
    if (lists(Find(group.value, "platforms"), platform) &&
        lists(Find(group.value, "families"), family)) {
      return &group;
    }
  }
  return nullptr;
}

void CheckGroups(const Matrix& matrix, Diagnostics& diagnostics) {
  for (const Entry& group : matrix.gfx_groups->entries) {
    const std::string_view name = group.key->text;
    for (const Node* platform : Find(group.value, "platforms")->items) {
      for (const Node* member : Find(group.value, "families")->items) {
        const Node* columns = ColumnsOf(matrix, member->text, platform->text);
        const Node* failure = PytorchFailure(columns);
        if (columns == nullptr) {
          diagnostics.Report(
              {.code = "group-member-missing",
               .message = fmt::format("group '{}' builds '{}' on {}, where the family has no row",
                                      name, member->text, platform->text),
               .where = member->where});
        } else if (failure != nullptr) {
          diagnostics.Report(
              {.code = "group-member-broken",
               .message = fmt::format("group '{}' builds '{}' on {}, where it is known to fail",
                                      name, member->text, platform->text),
               .where = member->where,
               .related = {{failure->where, "the known failure"}},
               .notes = {"one member that fails would fail the whole build"}});
        }
        const Entry* first = FindGroup(matrix, platform->text, member->text);
        if (first != nullptr && first->key != group.key) {
          diagnostics.Report(
              {.code = "duplicate-group-member",
               .message = fmt::format("'{}' is in two groups on {}: '{}' and '{}'", member->text,
                                      platform->text, first->key->text, name),
               .where = member->where,
               .related = {{first->key->where, "the first"}}});
        }
      }
    }
  }
}

void CheckCombos(const Matrix& matrix, const Combos& combos, Diagnostics& diagnostics) {
  if (combos.sets.empty()) return;
  for (const ComboSet& set : combos.sets) {
    CheckIds(set, diagnostics);
    CheckAxes(set, diagnostics);
  }
  CheckTorchRows(matrix, combos, diagnostics);
  CheckFamilies(matrix, combos, diagnostics);
}

bool IsReservedColumn(const Entry& column, Diagnostics& diagnostics) {
  constexpr std::array<std::string_view, 7> kReserved{
      "id", "label", "python_id", "torch_id", "source", "release_types", "promotes"};
  const std::string_view name = column.key->text;
  if (std::find(kReserved.begin(), kReserved.end(), name) == kReserved.end()) return false;
  diagnostics.Report(
      {.code = "reserved-column",
       .message = fmt::format("an include cannot set '{}', which every combo has already", name),
       .where = column.key->where});
  return true;
}

void ReportUnusedExclude(const Node& row, std::string_view owner, const OutReason* before,
                         Diagnostics& diagnostics) {
  Diagnostic diagnostic{.code = "unused-exclude",
                        .message = fmt::format("this exclude takes out no combo of {}", owner),
                        .where = PlaceOf(row)};
  if (before != nullptr) {
    diagnostic.related.push_back({before->where, "this takes out what it fits"});
  } else {
    diagnostic.notes.push_back("no combo has all these values at once");
  }
  diagnostics.Report(std::move(diagnostic));
}

void ReportUnusedInclude(const AxisRule& rule, std::string_view owner, Diagnostics& diagnostics) {
  diagnostics.Report(
      {.code = "unused-include",
       .message = fmt::format("this include adds nothing to {}", owner),
       .where = PlaceOf(*rule.row),
       .notes = {"the combos that it fits are there without it, and it has no further column"}});
}

void ReportIncompleteInclude(const AxisRule& rule, std::string_view owner,
                             std::span<const ComboPlatform> platforms, Diagnostics& diagnostics) {
  std::vector<std::string> given, missing;
  for (const Axis axis : kAxes) {
    if (rule.Has(axis)) {
      given.push_back(fmt::format("{} '{}'", NameOf(axis), rule.Values(axis)[0]->text));
    } else {
      missing.push_back(fmt::format("'{}'", NameOf(axis)));
    }
  }
  Diagnostic diagnostic{.code = "unused-include",
                        .message = fmt::format("no combo of {} has {}, and a new one also needs {}",
                                               owner, JoinWords(given), JoinWords(missing)),
                        .where = PlaceOf(*rule.row)};
  if (given.empty())
    diagnostic.message = fmt::format("{} has no combo that this include could fit", owner);
  // Out of one value of several: point at the one.
  for (const Axis axis : kAxes) {
    if (!rule.Has(axis)) continue;
    const bool known =
        std::any_of(platforms.begin(), platforms.end(), [&](const ComboPlatform& platform) {
          AxisRule alone;
          alone.given[alone.At(axis)] = true;
          alone.values[alone.At(axis)] = rule.Values(axis);
          const AxisReach reach(alone, platform);
          return std::any_of(
              platform.combos.begin(), platform.combos.end(),
              [&](const Combo& combo) { return combo.out == nullptr && reach.Covers(combo); });
        });
    if (!known) {
      diagnostic.where = rule.Values(axis)[0]->where;
      break;
    }
  }
  diagnostics.Report(std::move(diagnostic));
}

void ReportIncludedBuild(const Node& gfx, const ComboPlatform& platform, const GfxBuild* build,
                         Diagnostics& diagnostics) {
  Diagnostic diagnostic{.code = "known-failure-selected",
                        .message = fmt::format("'{}' is not built on {}", gfx.text, platform.name),
                        .where = gfx.where};
  if (build != nullptr)
    diagnostic.related.push_back({build->out->where, std::string(build->out->text)});
  diagnostics.Report(std::move(diagnostic));
}

void ReportCombosTwice(const AxisRule& rule, const Node& first, Diagnostics& diagnostics) {
  diagnostics.Report(
      {.code = "duplicate-combo",
       .message = "this include makes a combo that another include has made",
       .where = PlaceOf(*rule.row),
       .related = {{PlaceOf(first), "the first"}},
       .notes = {"an include adds its columns to combos of the product alone, never to those "
                 "of other includes"}});
}

void ReportTooManyReleaseTypes(const Node& release_types, Diagnostics& diagnostics) {
  diagnostics.Report({.code = "too-many-release-types",
                      .message = fmt::format("{} release types are more than the 64 there can be",
                                             release_types.entries.size()),
                      .where = release_types.entries[64].key->where});
}

}  // namespace wheelwright
