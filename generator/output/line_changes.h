// Which lines to remove and to add to turn one list of lines into another.
//
// The linear-space algorithm of E. Myers, "An O(ND) Difference Algorithm and Its Variations"
// (1986). Debian's dtl is another one, but keeps every path it tried (95 MB for two different files
// of 10,000 lines), and its headers do not compile with clang 19.
#pragma once

#include <span>
#include <vector>

namespace wheelwright {

struct LineChanges {
  std::vector<bool> removed;  // one for each line of `before`
  std::vector<bool> added;    // one for each line of `after`
};

// Equal numbers are equal lines; numbers are below `different`. The fewest changes, or nearly so
// where two long parts hold the same lines in quite another order.
LineChanges FindLineChanges(std::span<const int> before, std::span<const int> after, int different);

}  // namespace wheelwright
