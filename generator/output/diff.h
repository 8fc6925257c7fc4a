// Unified diffs. Own code, because Debian's dtl 1.20 does not compile with clang 19 (it assigns a
// member in a const function).
#pragma once

#include <string>
#include <string_view>

namespace wheelwright {

struct DiffOptions {
  std::string_view before_label;  // behind "--- "
  std::string_view after_label;   // behind "+++ "
  std::size_t context = 3;        // equal lines around a change
  bool color = false;
};

// A unified diff for `patch`, or "" when the texts are equal.
std::string UnifiedDiff(std::string_view before, std::string_view after,
                        const DiffOptions& options);

}  // namespace wheelwright
