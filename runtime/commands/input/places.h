// Options for places in a store: of a family's wheels, of an index, of a run.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostic.h"
#include "cli/command.h"
#include "runtime/host/environment/host.h"
#include "runtime/store/storage/storage_place.h"
#include "runtime/wheels/plan/plan.h"
#include "runtime/wheels/transfer/run_lookup.h"

namespace wheelwright {

OptionSpec ReleaseTypeOption();

// The release type that `--release-type` names, or that owns `--bucket`. Reports an error and
// returns null when neither is known.
const ReleaseTypeRow* TakeReleaseType(const Arguments& arguments, std::string_view command,
                                      const Plan& plan, Diagnostics& diagnostics);

// The folders of a family in the bucket of a release type, and their URLs for installers.
struct ReleaseFolders {
  std::string family;             // "gfx94X-dcgpu"
  std::string staging;            // "v2-staging/gfx94X-dcgpu/"
  std::string release;            // "v2/gfx94X-dcgpu/"
  std::string dependencies;       // "v2-dependencies/"; "": none
  std::string staging_index_url;  // both end with the family
  std::string index_url;
};
// The folders of `--family` for the release type of TakeReleaseType(). Reports missing or unknown
// values.
std::optional<ReleaseFolders> TakeReleaseFolders(const Arguments& arguments,
                                                 std::string_view command, const Plan& plan,
                                                 Diagnostics& diagnostics);

// The options that name the place of an index: `own`, then --family, --prefix and those of the
// store.
std::vector<OptionSpec> WithIndexPlace(std::vector<OptionSpec> own);
// Reads them. `folder` is a local folder that replaces all of them; "": none. Reports missing or
// unknown values, and a folder that does not exist.
std::optional<StoragePlace> TakeIndexPlace(const Arguments& arguments, std::string_view command,
                                           std::string_view folder, Host& host,
                                           Diagnostics& diagnostics);

OptionSpec RepositoryOption();
// --run-id and --repository.
std::vector<OptionSpec> RunOptions();

// The repository that the option names, else that of the job, else the matrix's.
std::string TakeRepository(const Arguments& arguments, const Host& host, const Plan& plan);
// The run that the option names, else that of the job, else "".
std::string TakeRunId(const Arguments& arguments, const Host& host);
// Whether the job runs code of a fork: the event's two repositories differ, or the variable
// IS_PR_FROM_FORK says so.
bool RunsFork(const Host& host);

// --bucket, --store, --endpoint-url and --release-type: the store of the files of runs.
std::vector<OptionSpec> RunStoreOptions();
// Reads them; without bucket and folder, the matrix decides. Access is anonymous.
std::optional<StoragePlace> TakeRunStore(const Arguments& arguments, Host& host,
                                         Diagnostics& diagnostics);
// The origin of a run from GitHub, with `--release-type`.
RunOrigin OriginOf(const FoundRun& run, const Arguments& arguments);
// The folder of a run in that store, or in the bucket of the matrix for it:
// "owner-name/123-linux/". If `origin` has no release type, uses that of the bucket.
StoragePlace PlaceOfRun(StoragePlace store, RunOrigin origin, std::string_view id,
                        const Arguments& arguments, const Plan& plan, const Host& host);

// The folders of one build below it: "artifacts/gfx94X-dcgpu-asan/". Builds need separate folders,
// because the names of archives have no variant, and those for all GPUs no family.
std::string ArchiveFolder(std::string_view group);
std::string PackageFolder(std::string_view group);

// "x/y/" for "x/y"; "" for "" and "/".
std::string AsPrefix(std::string_view folder);

}  // namespace wheelwright
