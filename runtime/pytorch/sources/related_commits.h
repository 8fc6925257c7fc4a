// Reads the file `related_commits` of ROCm's PyTorch: the commits of sibling projects that a
// release branch was tested with. A line is os|source|project|branch|commit|origin.
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

// Reads the records of the wanted projects; others only need a valid form. Reports invalid lines,
// and contradicting records of one project, even for different operating systems, because the
// sources are the same. Returns nothing after a report.
std::optional<std::vector<RelatedCommit>> ReadRelatedCommits(const SourceManager& sources,
                                                             FileId file,
                                                             const std::vector<std::string>& wanted,
                                                             Diagnostics& diagnostics);

}  // namespace wheelwright
