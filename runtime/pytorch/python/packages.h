// Sources of packages, and calls of pip and uv.
//
// An empty source is always an error: pip would use the public index, where others may own these
// names: https://github.com/ROCm/TheRock/issues/6791
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostic.h"
#include "cli/command.h"
#include "runtime/host/programs/runner.h"
#include "runtime/wheels/plan/plan.h"

namespace wheelwright {

// Exactly one of the first two is set.
struct PackageSource {
  std::string index_url;   // an index (PEP 503)
  std::string find_links;  // a page of links, or a folder
  // With an index: the index of third-party dependencies, which has no project of the first one.
  // "": none.
  std::string dependencies_url = {};

  // A local folder, which needs no retries.
  bool local() const;
};

// The options that name a source.
std::vector<OptionSpec> SourceOptions();

// Reads them. An index of the matrix becomes that of `family`. Reports when there is no source,
// more than one, or an unknown index.
std::optional<PackageSource> TakePackageSource(const Arguments& arguments, std::string_view command,
                                               const Plan& plan, Diagnostics& diagnostics);

// The family's folder for the URL of an index of the matrix; any other URL unchanged.
std::string IndexOfFamily(std::string_view url, std::string_view family, const Plan& plan);
// The index of dependencies for an index of a release type (or a family's folder in it); "" for
// others.
std::string DependenciesOf(std::string_view index_url, const Plan& plan);

// Calls pip with `words` as arguments, with retries if it may use the network.
Step PipStep(std::string title, const std::string& python, std::vector<std::string> words);

// The same for an install or download from this source only, ignoring the machine's configuration.
Step PipStepFrom(const PackageSource& source, std::string title, const std::string& python,
                 std::vector<std::string> words);

// Calls `uv pip` with `words` as arguments, on the environment of `python`.
Step UvStep(std::string title, const std::string& uv, const std::string& python,
            std::vector<std::string> words);

// The same for an install from this source only. Allows pre-releases, as most versions there are.
Step UvStepFrom(const PackageSource& source, std::string title, const std::string& uv,
                const std::string& python, std::vector<std::string> words);

// Installs the build tools that are missing in the environment. ROCm's packages are built without
// isolation, for which pip would need setuptools from the same source.
bool InstallBuildTools(const std::string& python, Runner& runner);

}  // namespace wheelwright
