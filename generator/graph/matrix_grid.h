// The matrix as a table: a row for a family on a platform, a column for a Python of a PyTorch ref.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/source.h"
#include "generator/matrix/combos.h"
#include "generator/plan/report.h"

namespace wheelwright {

enum class CellKind : std::uint8_t {
  kTests,         // built, promoted when its tests pass
  kBypass,        // built, promoted without tests
  kNever,         // built, never promoted: a dead end
  kBuilt,         // built, of a set that is not released
  kKnownFailure,  // not built, as all below
  kExcluded,
  kGrouped,
  kNoRow,
  kNoAxis,  // the platform has no such column: not a combo
};
inline constexpr std::size_t kCellKinds = 9;

struct CellStyle {
  char letter;             // its class in the page
  std::string_view title;  // "promoted when its tests pass"
  std::string_view sign;   // in Markdown
};
const CellStyle& StyleOf(CellKind kind);

inline bool IsIn(CellKind kind) { return kind <= CellKind::kBuilt; }

struct GridCell {
  CellKind kind = CellKind::kNoAxis;
  const Combo* combo = nullptr;  // null for kNoAxis
};

struct GridRow {
  const ComboPlatform* platform = nullptr;
  const GfxBuild* build = nullptr;
  std::string_view mend;        // of a dead end
  std::vector<GridCell> cells;  // by column
};

struct GridColumn {
  std::string_view torch;
  std::string_view python;
};

struct Grid {
  const ComboSet* set = nullptr;
  std::vector<GridColumn> columns;  // by PyTorch ref, then by Python
  std::vector<GridRow> rows;        // by family, then by platform
};

// A grid for each set of the report, with the builds that the report shows.
std::vector<Grid> MakeGrids(const PlanReport& report);

// Appends a value unless it is there.
template <typename Value>
void AddOnce(std::vector<Value>& values, const Value& value) {
  if (std::find(values.begin(), values.end(), value) == values.end()) values.push_back(value);
}

// The title of a platform: "Linux".
std::string_view TitleOf(const ComboPlatform& platform);

// Runners of a build's members, each once: "linux-gfx1151-gpu-rocm", or "".
std::string RunnersOf(const GfxBuild& build);

}  // namespace wheelwright
