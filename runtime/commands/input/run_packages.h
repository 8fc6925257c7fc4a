// Finds the requested packages in the folder of a run.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostic.h"
#include "cli/command.h"
#include "runtime/host/environment/host.h"
#include "runtime/pytorch/python/packages.h"
#include "runtime/wheels/plan/plan.h"
#include "runtime/wheels/version/python_version.h"
#include "runtime/wheels/version/version_specifier.h"

namespace wheelwright {

// --run-id, --latest, --branch, --workflow, --repository, --artifact-group and RunStoreOptions().
std::vector<OptionSpec> RunPackagesOptions();
// Whether a run is named as the source.
bool WantsRun(const Arguments& arguments);

struct WantedPackages {
  // Versions or bounds. If both are empty: torch with the ROCm that it requires, else ROCm.
  std::optional<VersionSpecifier> torch;
  std::optional<VersionSpecifier> rocm;
  Texts projects;  // other normalised projects that the run must have
  PythonVersion python;
};
// Reports errors in the options that name a run, and in versions.
std::optional<WantedPackages> TakeWanted(const Arguments& arguments, Diagnostics& diagnostics);

struct RunPackages {
  PackageSource source;
  std::string torch_version;  // "": not wanted
  std::string rocm_version;   // likewise
};
// Looks in the given run, or in the newest one of the branch that has everything. When there is
// none, logs an error and returns nothing. Throws StorageError.
std::optional<RunPackages> FindRunPackages(const Arguments& arguments, const Plan& plan,
                                           const WantedPackages& wanted, Host& host,
                                           Diagnostics& diagnostics);

}  // namespace wheelwright
