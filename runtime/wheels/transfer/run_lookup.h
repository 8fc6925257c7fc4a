// Which runs of a repository there are: what GitHub says of them.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "runtime/host/environment/host.h"
#include "runtime/wheels/plan/artifact_buckets.h"

namespace wheelwright {

struct FoundRun {
  std::string id;
  RunOrigin origin;
  std::string conclusion = {};  // "success", "failure"; "" when it is not known
  std::string commit = {};      // likewise
};

// What GitHub says of a run. Where it cannot be asked, the log gets a warning, and the run counts
// as one of the repository's own code.
FoundRun LookUpRun(const std::string& repository, const std::string& id, Host& host);

// Runs for a commit that ended well, the newest first; of one workflow, unless `workflow` is "".
// Nothing when GitHub cannot be asked; `problem` says why.
std::optional<std::vector<FoundRun>> GoodRunsOf(const std::string& repository,
                                                const std::string& commit,
                                                const std::string& workflow, Host& host,
                                                std::string& problem);

// The branch that a repository has when nobody names one. Nothing when GitHub cannot be asked.
std::optional<std::string> DefaultBranchOf(const std::string& repository, Host& host,
                                           std::string& problem);

// Runs of a branch that have ended, well or not, the newest first: one page of them, from page 1
// on. Those of forks are left out: a branch of theirs may have the same name. `more` says whether
// there is a next page.
std::optional<std::vector<FoundRun>> RunsOfBranch(const std::string& repository,
                                                  const std::string& branch,
                                                  const std::string& workflow, std::size_t page,
                                                  Host& host, bool& more, std::string& problem);

}  // namespace wheelwright
