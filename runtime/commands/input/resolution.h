// Resolves a release for commands: before a promotion, and by itself.
#pragma once

#include <string>
#include <vector>

#include "cli/command.h"
#include "runtime/commands/input/places.h"
#include "runtime/host/environment/host.h"
#include "runtime/store/storage/storage.h"
#include "runtime/wheels/plan/plan.h"
#include "runtime/wheels/promotion/promotion_request.h"

namespace wheelwright {

// --dependencies-url and --python.
std::vector<OptionSpec> ResolutionOptions();

// Resolves the wheels of `--platform` and `--family` against the release as it will be when they
// are promoted. Logs the result, and adds it to the summary. False when users could not install
// them. Throws StorageError.
bool ResolveBeforePublishing(Storage& storage, const ReleaseFolders& folders,
                             const std::vector<TestedWheel>& wheels, const Arguments& arguments,
                             const Plan& plan, const std::string& uv, Host& host,
                             std::string& summary);

}  // namespace wheelwright
