// Cells of one branch as few lines: which values of one axis with which of another.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "generator/matrix/cells.h"
#include "generator/matrix/schema.h"

namespace wheelwright {

// Every choice of one value of each list.
struct CellBlock {
  int kind = 0;
  std::vector<std::vector<std::uint32_t>> values;  // by axis that is not nested: of CellSet::values

  std::size_t cells() const;
};

// The branch's cells as blocks. `kind_of` tells cells apart that must not share a block; what it
// gives a negative number is left out.
std::vector<CellBlock> MakeBlocks(const CellSet& set, const CellBranch& branch,
                                  const std::function<int(const Cell&)>& kind_of);

// What tables show of each axis of a block: "3.10-3.13", "2.7 2.8 nightly".
std::vector<std::string> ValuesOf(const CellBlock& block, const CellSet& set, const Schema& schema);

// "3.10-3.13": versions with blanks between them, runs of three and more as a range.
std::string CompressVersions(std::span<const std::string_view> versions);

// The same as the axis wants it: `ranges` or not.
std::string JoinBriefs(const AxisSchema& axis, std::span<const std::string_view> briefs);

// What messages and headings call the axes of a set from `first` on.
std::vector<std::string_view> NounsOf(const SetSchema& set, const Schema& schema, std::size_t first,
                                      std::size_t end);

}  // namespace wheelwright
