// The file `related_commits` in ROCm's PyTorch: which commits of its sibling projects a release
// branch was tested with, one record a line: os|source|project|branch|commit|origin.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostic.h"

namespace wheelwright {

struct RelatedCommit {
  std::string project;  // "torchaudio"
  std::string branch;
  std::string commit;
  std::string origin;
  SourceRange where;
};

// Reads the records of the projects that are asked for; those of others only have to be records.
// Reports lines that are none, and records of one project that contradict each other, be they for
// different operating systems: the sources are the same. Returns nothing after a report.
std::optional<std::vector<RelatedCommit>> ReadRelatedCommits(const SourceManager& sources,
                                                             FileId file,
                                                             const std::vector<std::string>& wanted,
                                                             Diagnostics& diagnostics);

}  // namespace wheelwright
