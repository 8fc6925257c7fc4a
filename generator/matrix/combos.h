// Every combo of platform x gfx build x Python x PyTorch, in or out, and why.
//
// The axes and their `include` and `exclude` are those of matrix/pytorch.yml, with the meaning that
// GitHub gives them in strategy.matrix
// (https://docs.github.com/actions/how-tos/write-workflows/choose-what-workflows-do/run-job-variations):
// excludes come first and a partial match removes; an include adds its columns to every combo that
// it does not overwrite, else it makes a new one. A list as a value means any of its items.
#pragma once

#include <cstdint>
#include <deque>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/arena.h"
#include "base/diagnostic.h"
#include "generator/yaml/node.h"
#include "selection/promotion.h"

namespace wheelwright {

struct Matrix;

enum class OutKind : std::uint8_t { kNoRow, kKnownFailure, kGrouped, kExcluded };

// Why combos are not built. One for each row of the matrix that takes some out.
struct OutReason {
  OutKind kind = OutKind::kNoRow;
  std::string_view text;   // "no row for windows", "known failure", an exclude's `why`
  std::string_view issue;  // a link; may be empty
  SourceRange where;       // the row
};

// A family in a gfx build.
struct GfxMember {
  std::string_view key;   // of its row in matrix/families.yml
  std::string_view name;  // its artifact group
  std::string_view tier;
  std::string_view runner;        // its `test_runs_on`, or ""
  bool bypass = false;            // its `bypass_tests_for_releases`
  const Node* columns = nullptr;  // of its row, for this platform
  SourceRange where;              // its row
};

// A value of the gfx axis: what one build of wheels is for. One family, or a fat build of several.
struct GfxBuild {
  std::string_view key;   // of the family's row, or the group's name
  std::string_view name;  // the artifact group, or the group's name
  std::string_view tier;  // the first in the order of tiers among the members
  SourceRange where;
  std::vector<GfxMember> members;  // empty when the family has no row for the platform
  const Node* group = nullptr;     // the row of gfx_groups, or null
  const OutReason* out = nullptr;  // why none of its combos can be built, or null
  Promotes promotes = Promotes::kNever;
  std::size_t first = 0;  // of its combos
  std::size_t size = 0;   // how many, in or out
  std::size_t in = 0;
};

struct PythonValue {
  std::string_view version;  // "3.13t"
  std::string_view id;       // "py313t"
  const Node* cell = nullptr;
};

struct TorchValue {
  std::string_view ref;   // "release/2.10"
  std::string_view id;    // "torch_210", of its row
  std::string_view part;  // "torch210": its part of a combo's id
  const Node* row = nullptr;
  const Node* cell = nullptr;
};

// Columns that includes added to a combo.
struct ExtraColumns {
  std::vector<Entry> columns;         // keys unique
  std::vector<const Node*> includes;  // the rows they are from
};

struct Combo {
  std::uint32_t build = 0;  // positions in the lists of its platform
  std::uint32_t python = 0;
  std::uint32_t torch = 0;
  bool tests = true;  // false where an include says `tests: false`
  Promotes promotes = Promotes::kNever;
  const OutReason* out = nullptr;        // null: it is built
  const ExtraColumns* extras = nullptr;  // null: none
  const Node* include = nullptr;         // the include that made it; null: the product did
  std::uint64_t release_types = 0;       // bit i: Combos::release_types[i] takes it
};

// The part of a set for one platform: a product of its own axes.
struct ComboPlatform {
  std::string_view name;
  const Node* row = nullptr;  // of matrix/platforms.yml
  std::vector<GfxBuild> builds;
  std::vector<PythonValue> pythons;  // those of the axis, then those of includes
  std::vector<TorchValue> torches;
  std::vector<Combo> combos;          // by build, Python, PyTorch, each in the order of the tables
  std::vector<std::string_view> ids;  // pythons x torches
  std::size_t in = 0;

  std::span<const Combo> CombosOf(const GfxBuild& build) const {
    return std::span(combos).subspan(build.first, build.size);
  }
  // "py312_torch210".
  std::string_view IdOf(const Combo& combo) const {
    return ids[combo.python * torches.size() + combo.torch];
  }
};

struct ComboSet {
  std::string_view name;
  SourceRange where;
  std::vector<ComboPlatform> platforms;
  std::uint64_t release_types =
      0;  // bit i: Combos::release_types[i] publishes from it; 0: none does
  std::size_t in = 0;
  std::size_t out = 0;
};

struct Combos {
  std::vector<ComboSet> sets;
  std::vector<std::string_view> release_types;
  std::deque<OutReason> reasons;
  std::deque<ExtraColumns> extras;

  const ComboSet* FindSet(std::string_view name) const;
};

// Works out every set of a matrix that was validated and has its defaults filled in. Texts live in
// the arena, the rest points into the matrix. Reports rules that match nothing, rows nobody uses,
// and names that do not fit together.
Combos ComputeCombos(const Matrix& matrix, Arena& arena, Diagnostics& diagnostics);

// What has to happen before wheels for these families are promoted, by the rows of
// matrix/release.yml; `tests` is false when the combo is built and not tested.
Promotes PromotionOf(std::span<const GfxMember> members, bool tests, const Node* policy);

}  // namespace wheelwright
