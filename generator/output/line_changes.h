// The lines to remove and add to turn one list of lines into another.
//
// The linear-space algorithm of E. Myers, "An O(ND) Difference Algorithm and Its Variations"
// (1986). Own code: Debian's dtl keeps every path it tried (95 MB for two different files of 10,000
// lines), and does not compile with clang 19.
#pragma once

#include <span>
#include <vector>

namespace wheelwright {

struct LineChanges {
  std::vector<bool> removed;  // one for each line of `before`
  std::vector<bool> added;    // one for each line of `after`
};

// Lines are numbers below `different`; equal numbers are equal lines. Finds the fewest changes, or
// nearly so for long parts in a very different order.
LineChanges FindLineChanges(std::span<const int> before, std::span<const int> after, int different);

}  // namespace wheelwright
