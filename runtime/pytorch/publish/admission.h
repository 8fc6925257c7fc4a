// Which packages may go into an index. What a build wrote is not trusted to say that: a package of
// another project, in a newer version than its own, is what installers would take.
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
  // Of a release index: the projects that the matrix builds for the platform, normalised.
  std::optional<std::vector<std::string>> projects;
  // What was resolved for this build; nothing when it was not said.
  std::optional<std::vector<ResolvedVersion>> versions;
  std::string platform;

  // Why a file with that project and version may not go there, or "". Source archives may go only
  // where neither is set: nothing says what installing one would run.
  std::string Problem(std::string_view project, const PackageVersion& version, bool wheel) const;
};

// JSON, {"torch": "2.10.0"}, with the projects as their wheels are called: that of Triton may have
// another name. Reports what cannot be read; nothing without the option.
std::optional<std::vector<ResolvedVersion>> TakeResolvedVersions(const Arguments& arguments,
                                                                 const Host& host,
                                                                 SourceManager& sources,
                                                                 Diagnostics& diagnostics);

// `release`: the index is that of a release type, which holds what the matrix names alone.
Admission TakeAdmission(const Arguments& arguments, std::string_view platform, bool release,
                        const Plan& plan, const Host& host, SourceManager& sources,
                        Diagnostics& diagnostics);

OptionSpec VersionsOption();

}  // namespace wheelwright
