// Which run of which repository artifacts are taken from.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "runtime/host/host.h"
#include "runtime/plan/artifact_place.h"

namespace wheelwright {

struct FoundRun {
  std::string id;
  RunOrigin origin;
};

// What GitHub says of a run. Where it cannot be asked, `warning` says why, and the run is taken for
// one of the repository's own code.
FoundRun LookUpRun(const std::string& repository, const std::string& id, Host& host,
                   std::string& warning);

// Runs for a commit that ended well, the newest first; of one workflow, unless `workflow` is "".
// Nothing when GitHub cannot be asked; `problem` says why.
std::optional<std::vector<FoundRun>> GoodRunsOf(const std::string& repository,
                                                const std::string& commit,
                                                const std::string& workflow, Host& host,
                                                std::string& problem);

}  // namespace wheelwright
