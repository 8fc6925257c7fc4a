// The report of `check`.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "generator/commands/project_run.h"
#include "generator/output/change_summary.h"
#include "generator/output/folder.h"
#include "generator/pins/adopt.h"

namespace wheelwright {

// A file that is not as it should be.
struct DriftingFile {
  enum class State { kStale, kMissing, kOrphaned };
  State state = State::kStale;
  std::string name;
  std::string_view before, after;      // "" where there is none
  std::string diff;                    // unified
  std::size_t added = 0, removed = 0;  // lines
  std::size_t first_line = 1;          // of `before` that differs
};

struct Drift {
  std::string folder;
  const Difference* difference = nullptr;
  std::vector<DriftingFile> files;  // stale, missing, left over
  // Nothing when there are too many files to read them all again.
  std::optional<ChangeSummary> summary;
  std::vector<Bump> bumps;
  std::string repair;  // the command line that brings all up to date
};

// `color` marks the diffs.
Drift DescribeDrift(const Difference& difference, const std::string& folder, std::string repair,
                    std::vector<Bump> bumps, bool color);

// For people. Without `all`, a long diff is cut, with a note how to see the rest.
std::string DriftAsText(const Drift& drift, bool all, Paint paint);
// An annotation for each file, and between them what people see, in folded groups.
std::string DriftAsWorkflowCommands(const Drift& drift, bool all);
// One object.
std::string DriftAsJson(const Drift& drift);

}  // namespace wheelwright
