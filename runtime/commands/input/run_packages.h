// Which packages of a run an environment gets: what was asked for, looked up in the run's folder.
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

// --run-id, --latest, --branch, --workflow, --repository, --artifact-group and where files of runs
// lie.
std::vector<OptionSpec> RunPackagesOptions();
// Whether a run is named as the source.
bool WantsRun(const Arguments& arguments);

struct WantedPackages {
  // Versions or bounds; neither: torch with the ROCm that it requires, else ROCm.
  std::optional<VersionSpecifier> torch;
  std::optional<VersionSpecifier> rocm;
  Texts projects;  // further ones that the run must have, normalised
  PythonVersion python;
};
// Reports what is wrong with the options that name a run, or with a version.
std::optional<WantedPackages> TakeWanted(const Arguments& arguments, Diagnostics& diagnostics);

struct RunPackages {
  PackageSource source;
  std::string torch_version;  // "": none is asked for
  std::string rocm_version;   // likewise
};
// In the run that is named, or in the newest one of the branch that has all of it. Nothing: there
// is none, which was said. Throws StorageError.
std::optional<RunPackages> FindRunPackages(const Arguments& arguments, const Plan& plan,
                                           const WantedPackages& wanted, Host& host,
                                           Diagnostics& diagnostics);

}  // namespace wheelwright
