// The repository's own matrix, compiled, for tests of selections.
#pragma once

#include <fmt/format.h>

#include <string>
#include <vector>

#include "base/arena.h"
#include "base/file_system.h"
#include "generator/matrix/load.h"
#include "selection/plan_file.h"
#include "selection/release.h"
#include "selection/select.h"
#include "tests/unit/combo_matrix.h"
#include "tests/unit/plan_text.h"
#include "tests/unit/repository_matrix.h"
#include "tests/unit/said.h"

namespace wheelwright {

inline const std::string& RepositoryPlanText() {
  static const std::string kText = [] {
    RepositoryMatrix own;
    if (!own.matrix) throw FileError(own.Report());
    const Cells cells = CellsOf(*own.matrix, own.sources, own.arena, own.diagnostics);
    return PlanText(*own.matrix, cells, own.arena);
  }();
  return kText;
}

// A plan after replacements in its text; each old text must occur in it.
inline PlanFile ChangedPlan(const std::vector<std::pair<std::string, std::string>>& changes) {
  std::string text = RepositoryPlanText();
  for (const auto& [from, to] : changes) {
    const std::size_t at = text.find(from);
    if (at == std::string::npos) throw FileError("'" + from + "' is not in the plan");
    text.replace(at, from.size(), to);
  }
  Diagnostics diagnostics;
  auto plan = ReadPlanFile(text, "plan.json", diagnostics);
  if (!plan) throw FileError(Said(diagnostics));
  return *plan;
}

inline const PlanFile& RepositoryPlan() {
  static const PlanFile kPlan = ChangedPlan({});
  return kPlan;
}

// Selects, and throws the diagnostics if there are errors.
inline Selection MustSelect(const EventInputs& inputs, const PlanFile& plan = RepositoryPlan()) {
  Diagnostics diagnostics;
  auto selection = Select(plan, inputs, diagnostics);
  if (!selection) throw FileError(Said(diagnostics));
  return *selection;
}

// The diagnostics.
inline std::string Complaints(const EventInputs& inputs, const PlanFile& plan = RepositoryPlan()) {
  Diagnostics diagnostics;
  Select(plan, inputs, diagnostics);
  return Said(diagnostics);
}

inline const PlatformSelection& On(const Selection& selection, std::string_view platform) {
  for (const PlatformSelection& one : selection.platforms) {
    if (one.name == platform) return one;
  }
  throw FileError("no such platform");
}

// The artifact groups to build: "gfx94X-dcgpu gfx950-dcgpu".
inline std::string Groups(const Selection& selection, std::string_view platform) {
  std::vector<std::string> groups;
  for (const SelectedFamily& family : On(selection, platform).in) {
    groups.push_back(family.artifact_group);
  }
  return fmt::format("{}", fmt::join(groups, " "));
}

inline const SelectedFamily& Built(const Selection& selection, std::string_view platform,
                                   std::string_view group) {
  for (const SelectedFamily& family : On(selection, platform).in) {
    if (family.artifact_group == group) return family;
  }
  throw FileError(fmt::format("{} is not built", group));
}

// The reason why a family is excluded; "" if it is included.
inline std::string WhyOut(const Selection& selection, std::string_view platform,
                          std::string_view key) {
  for (const LeftOutFamily& family : On(selection, platform).out) {
    if (family.key == key) return family.why;
  }
  return "";
}

}  // namespace wheelwright
