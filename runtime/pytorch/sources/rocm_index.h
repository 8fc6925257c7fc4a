// Finds the ROCm packages of a package index.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostic.h"
#include "runtime/host/programs/runner.h"
#include "runtime/wheels/version/package_version.h"

namespace wheelwright {

// The versions in the output of `pip index versions`; skips unreadable ones.
std::vector<PackageVersion> ReadPipVersions(std::string_view output);

// The newest version for a kind of release: dev releases are development versions, nightly ones
// alphas, prereleases release candidates; any version for other kinds. Never the placeholder 0.1.0
// of the public index. Reports when there is none, or several development versions with the same
// number, which have no order. `index` is the name for messages.
std::optional<PackageVersion> NewestRocm(const std::vector<PackageVersion>& versions,
                                         std::string_view release_type, std::string_view index,
                                         Diagnostics& diagnostics);

// Asks only this index, by pip of `python`. Nothing after an error, which was reported or logged.
std::optional<PackageVersion> AskNewestRocm(const std::string& python, const std::string& index_url,
                                            std::string_view release_type, Runner& runner,
                                            Diagnostics& diagnostics);

}  // namespace wheelwright
