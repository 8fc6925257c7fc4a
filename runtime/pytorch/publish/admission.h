// Decides which packages may go into an index. Builds are not trusted: installers would take a
// package with a newer version under the name of another project.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostic.h"
#include "cli/command.h"
#include "runtime/host/environment/host.h"
#include "runtime/wheels/plan/plan.h"
#include "runtime/wheels/version/package_version.h"
#include "runtime/wheels/wheel/wheel_rules.h"

namespace wheelwright {

struct Admission {
  // For a release index: the normalised projects that the matrix builds for the platform.
  std::optional<std::vector<std::string>> projects;
  // The versions resolved for this build, if given.
  std::optional<std::vector<ResolvedVersion>> versions;
  std::string platform;

  // Why a file with that project and version may not go there, or "". Source archives are allowed
  // only if neither member is set, because installing them runs their code.
  std::string Problem(std::string_view project, const PackageVersion& version, bool wheel) const;
};

// Reads the option's JSON, {"torch": "2.10.0"}, with the names of wheels as projects (Triton's may
// differ). Reports invalid values; nothing without the option.
std::optional<std::vector<ResolvedVersion>> TakeResolvedVersions(const Arguments& arguments,
                                                                 const Host& host,
                                                                 SourceManager& sources,
                                                                 Diagnostics& diagnostics);

// `release`: the index of a release type, which takes only projects of the matrix.
Admission TakeAdmission(const Arguments& arguments, std::string_view platform, bool release,
                        const Plan& plan, const Host& host, SourceManager& sources,
                        Diagnostics& diagnostics);

OptionSpec VersionsOption();

}  // namespace wheelwright
