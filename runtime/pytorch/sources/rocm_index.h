// Which ROCm packages an index of Python packages has.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostic.h"
#include "runtime/host/programs/runner.h"
#include "runtime/wheels/version/package_version.h"

namespace wheelwright {

// The versions that `pip index versions` lists; what it cannot read is left out.
std::vector<PackageVersion> ReadPipVersions(std::string_view output);

// The newest version for a kind of release: dev releases are development versions, nightly ones
// alphas, prereleases release candidates; any version for other kinds. Never the placeholder 0.1.0
// of the public index. Reports when there is none, or when there are several development versions
// of one number, which have no order. `index` is how messages call where they are from.
std::optional<PackageVersion> NewestRocm(const std::vector<PackageVersion>& versions,
                                         std::string_view release_type, std::string_view index,
                                         Diagnostics& diagnostics);

// Asks the index, and no other one, by pip of the interpreter `python`. Nothing after a failure,
// which was reported or said.
std::optional<PackageVersion> AskNewestRocm(const std::string& python, const std::string& index_url,
                                            std::string_view release_type, Runner& runner,
                                            Diagnostics& diagnostics);

}  // namespace wheelwright
