// Looks up workflow runs of a repository through GitHub's API.
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

// Looks up a run. If GitHub cannot be reached, logs a warning and takes it for a run of the
// repository's own code.
FoundRun LookUpRun(const std::string& repository, const std::string& id, Host& host);

// Successful runs for a commit, newest first; of one workflow unless `workflow` is "". Nothing on
// failure; `problem` says why.
std::optional<std::vector<FoundRun>> GoodRunsOf(const std::string& repository,
                                                const std::string& commit,
                                                const std::string& workflow, Host& host,
                                                std::string& problem);

// The default branch of a repository. Nothing on failure.
std::optional<std::string> DefaultBranchOf(const std::string& repository, Host& host,
                                           std::string& problem);

// A page (from 1) of the completed runs of a branch, newest first. Leaves out runs of forks, whose
// branches may have the same name. `more`: there is a next page.
std::optional<std::vector<FoundRun>> RunsOfBranch(const std::string& repository,
                                                  const std::string& branch,
                                                  const std::string& workflow, std::size_t page,
                                                  Host& host, bool& more, std::string& problem);

}  // namespace wheelwright
