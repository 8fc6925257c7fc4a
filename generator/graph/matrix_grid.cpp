#include "generator/graph/matrix_grid.h"

#include <algorithm>
#include <array>
#include <map>

namespace wheelwright {
namespace {

CellKind KindOf(const ComboSet& set, const Combo& combo) {
  if (combo.out != nullptr) {
    switch (combo.out->kind) {
      case OutKind::kNoRow:
        return CellKind::kNoRow;
      case OutKind::kKnownFailure:
        return CellKind::kKnownFailure;
      case OutKind::kGrouped:
        return CellKind::kGrouped;
      case OutKind::kExcluded:
        return CellKind::kExcluded;
    }
  }
  if (set.release_types == 0) return CellKind::kBuilt;
  switch (combo.promotes) {
    case Promotes::kTests:
      return CellKind::kTests;
    case Promotes::kBypass:
      return CellKind::kBypass;
    case Promotes::kNever:
      break;
  }
  return CellKind::kNever;
}

class GridMaker {
 public:
  GridMaker(const PlanReport& report, Grid& grid) : report_(report), grid_(grid) {}

  void Make() {
    FindColumns();
    // By family, in the order of their first appearance, whatever the platform.
    std::vector<std::string_view> keys;
    for (const PlanPart& part : report_.parts) {
      if (part.set != grid_.set) continue;
      for (const GfxBuild* build : part.builds) AddOnce(keys, build->key);
    }
    std::map<std::string_view, std::size_t> order;
    for (const std::string_view key : keys) order.emplace(key, order.size());
    for (const PlanPart& part : report_.parts) {
      if (part.set != grid_.set) continue;
      for (const GfxBuild* build : part.builds) AddRow(part, *build);
    }
    std::stable_sort(grid_.rows.begin(), grid_.rows.end(), [&](const GridRow& a, const GridRow& b) {
      return order[a.build->key] < order[b.build->key];
    });
  }

 private:
  void FindColumns() {
    std::vector<std::string_view> torches, pythons;
    for (const PlanPart& part : report_.parts) {
      if (part.set != grid_.set) continue;
      for (const TorchValue& torch : part.platform->torches) AddOnce(torches, torch.ref);
      for (const PythonValue& python : part.platform->pythons) AddOnce(pythons, python.version);
    }
    for (const std::string_view torch : torches) {
      for (const std::string_view python : pythons) {
        at_[{torch, python}] = grid_.columns.size();
        grid_.columns.push_back({torch, python});
      }
    }
  }

  void AddRow(const PlanPart& part, const GfxBuild& build) {
    GridRow row{.platform = part.platform, .build = &build, .mend = {}, .cells = {}};
    row.cells.resize(grid_.columns.size());
    for (const Combo& combo : part.platform->CombosOf(build)) {
      const std::string_view torch = part.platform->torches[combo.torch].ref;
      const std::string_view python = part.platform->pythons[combo.python].version;
      row.cells[at_.at({torch, python})] = {KindOf(*grid_.set, combo), &combo};
    }
    for (const PlanDeadEnd& end : part.dead_ends) {
      if (end.gfx == build.name) row.mend = end.mend;
    }
    grid_.rows.push_back(std::move(row));
  }

  const PlanReport& report_;
  Grid& grid_;
  std::map<std::pair<std::string_view, std::string_view>, std::size_t> at_;
};

}  // namespace

const CellStyle& StyleOf(CellKind kind) {
  static constexpr std::array<CellStyle, kCellKinds> kStyles{{
      {'t', "promoted when its tests pass", "●"},
      {'b', "promoted without tests", "◐"},
      {'d', "built, never promoted", "▲"},
      {'s', "built, not released", "○"},
      {'k', "known failure", "✕"},
      {'x', "excluded", "–"},
      {'g', "part of a fat build", "→"},
      {'n', "no row for the platform", "·"},
      {'o', "not on the axis", ""},
  }};
  return kStyles[static_cast<std::size_t>(kind)];
}

std::vector<Grid> MakeGrids(const PlanReport& report) {
  std::vector<Grid> grids;
  for (const PlanPart& part : report.parts) {
    if (!grids.empty() && grids.back().set == part.set) continue;
    GridMaker(report, grids.emplace_back(Grid{.set = part.set, .columns = {}, .rows = {}})).Make();
  }
  return grids;
}

std::string_view TitleOf(const ComboPlatform& platform) {
  const std::string_view title = FindText(platform.row, "title");
  return title.empty() ? platform.name : title;
}

std::string RunnersOf(const GfxBuild& build) {
  std::vector<std::string_view> runners;
  for (const GfxMember& member : build.members) {
    if (!member.runner.empty()) AddOnce(runners, member.runner);
  }
  std::string joined;
  for (const std::string_view runner : runners) {
    joined.append(joined.empty() ? "" : " ").append(runner);
  }
  return joined;
}

}  // namespace wheelwright
