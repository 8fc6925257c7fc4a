// In which folder of a bucket the files of a run lie.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cli/command.h"
#include "runtime/host/environment/host.h"
#include "runtime/wheels/plan/plan.h"

namespace wheelwright {

// --run-id and --repository.
std::vector<OptionSpec> RunOptions();

// The repository that is named, else the one of the job, else the matrix's.
std::string TakeRepository(const Arguments& arguments, const Host& host, const Plan& plan);
// The run that is named, else the one of the job, else "".
std::string TakeRunId(const Arguments& arguments, const Host& host);
// Whether the job runs code of a fork: the event's two repositories differ, or somebody said so in
// the variable IS_PR_FROM_FORK.
bool RunsFork(const Host& host);
// The release type that has its artifacts in this bucket, or "".
std::string ReleaseTypeOf(std::string_view artifact_bucket, const Plan& plan);

// "owner-name/123-linux/".
std::string RunFolder(const ArtifactPlace& place, std::string_view run_id,
                      std::string_view platform);
// The folders of one build below it: "artifacts/gfx94X-dcgpu-asan/". Archives are named by their
// family, whatever variant of it was built, and those for all GPUs by no family at all: in one
// folder, builds of a run would replace each other's.
std::string ArchiveFolder(std::string_view group);
std::string PackageFolder(std::string_view group);

}  // namespace wheelwright
