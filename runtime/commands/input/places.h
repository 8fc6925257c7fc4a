// Places in a store, as commands are told: of the wheels of a family, of an index, of a run.
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

// The release type that `--release-type` names, or whose bucket `--bucket` is. Reports when neither
// is known, and gives null then.
const ReleaseTypeRow* TakeReleaseType(const Arguments& arguments, std::string_view command,
                                      const Plan& plan, Diagnostics& diagnostics);

// The folders of a family in the bucket of a release type, and as installers see them.
struct ReleaseFolders {
  std::string family;             // "gfx94X-dcgpu"
  std::string staging;            // "v2-staging/gfx94X-dcgpu/"
  std::string release;            // "v2/gfx94X-dcgpu/"
  std::string staging_index_url;  // both end with the family
  std::string index_url;
};
// Those of `--family`, for the release type that TakeReleaseType() gives. Reports what is missing
// or unknown.
std::optional<ReleaseFolders> TakeReleaseFolders(const Arguments& arguments,
                                                 std::string_view command, const Plan& plan,
                                                 Diagnostics& diagnostics);

// The options that name the place of an index: `own`, then --family, --prefix and those of the
// store.
std::vector<OptionSpec> WithIndexPlace(std::vector<OptionSpec> own);
// What they say. `folder` is a folder on this machine that takes the place of all of them; "":
// none was named. Reports what is missing, unknown or not there.
std::optional<StoragePlace> TakeIndexPlace(const Arguments& arguments, std::string_view command,
                                           std::string_view folder, Host& host,
                                           Diagnostics& diagnostics);

OptionSpec RepositoryOption();
// --run-id and --repository.
std::vector<OptionSpec> RunOptions();

// The repository that is named, else the one of the job, else the matrix's.
std::string TakeRepository(const Arguments& arguments, const Host& host, const Plan& plan);
// The run that is named, else the one of the job, else "".
std::string TakeRunId(const Arguments& arguments, const Host& host);
// Whether the job runs code of a fork: the event's two repositories differ, or somebody said so in
// the variable IS_PR_FROM_FORK.
bool RunsFork(const Host& host);

// --bucket, --store, --endpoint-url and --release-type: where the files of runs lie.
std::vector<OptionSpec> RunStoreOptions();
// What they say; neither bucket nor folder when the matrix has to say it. It is asked as the public
// does.
std::optional<StoragePlace> TakeRunStore(const Arguments& arguments, Host& host,
                                         Diagnostics& diagnostics);
// Of a run that GitHub knows, with `--release-type`.
RunOrigin OriginOf(const FoundRun& run, const Arguments& arguments);
// The folder of a run in that store, or in the bucket that the matrix names for it:
// "owner-name/123-linux/". Where `origin` has no release type, it is the one whose artifacts are in
// the bucket.
StoragePlace PlaceOfRun(StoragePlace store, RunOrigin origin, std::string_view id,
                        const Arguments& arguments, const Plan& plan, const Host& host);

// The folders of one build below it: "artifacts/gfx94X-dcgpu-asan/". Archives are named by their
// family, whatever variant of it was built, and those for all GPUs by no family at all: in one
// folder, builds of a run would replace each other's.
std::string ArchiveFolder(std::string_view group);
std::string PackageFolder(std::string_view group);

// "x/y" as "x/y/", "" and "/" as "".
std::string AsPrefix(std::string_view folder);

}  // namespace wheelwright
