// Which run of which repository files are taken from, and where they lie.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/command.h"
#include "runtime/host/environment/host.h"
#include "runtime/store/open_storage.h"
#include "runtime/wheels/plan/artifact_place.h"
#include "runtime/wheels/plan/plan.h"

namespace wheelwright {

struct FoundRun {
  std::string id;
  RunOrigin origin;
  std::string conclusion = {};  // "success", "failure"; "" when it is not known
  std::string commit = {};      // likewise
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

// --bucket, --store, --endpoint-url and --release-type: where the files of runs lie.
std::vector<OptionSpec> RunStoreOptions();
// What they say; the bucket is "" when the matrix has to say it. It is asked as the public does.
std::optional<StoragePlace> TakeRunStore(const Arguments& arguments, Host& host,
                                         Diagnostics& diagnostics);

// The folder of a run on a platform.
struct RunStore {
  std::unique_ptr<Storage> storage;
  std::string folder;  // ends with a slash
  bool on_disk = false;
};
RunStore OpenRun(const FoundRun& run, StoragePlace place, const Arguments& arguments,
                 const Plan& plan, Host& host);

}  // namespace wheelwright
