// Installing packages: where they come from, and how pip and uv are called.
//
// An empty source is an error everywhere. pip would ask the public index then, where somebody
// else's packages may have these names: https://github.com/ROCm/TheRock/issues/6791
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

// One of the first two is "".
struct PackageSource {
  std::string index_url;   // an index as PEP 503 has it
  std::string find_links;  // a page of links, or a folder
  // Beside an index, one of what its packages need from elsewhere: it has no project of the other,
  // so nobody has to choose between them. "": none.
  std::string dependencies_url = {};

  // A folder of this machine has at once what it ever has, so it is asked once.
  bool local() const;
};

// The options by which commands are told a source.
std::vector<OptionSpec> SourceOptions();

// Reads them. An index of the matrix becomes that of `family`. Reports when there is no source,
// more than one, or an index that nobody knows.
std::optional<PackageSource> TakePackageSource(const Arguments& arguments, std::string_view command,
                                               const Plan& plan, Diagnostics& diagnostics);

// An index of the matrix has a folder for each family: of such a URL, the family's. Of any other,
// the URL itself.
std::string IndexOfFamily(std::string_view url, std::string_view family, const Plan& plan);
// The index of dependencies beside an index of a release type, or of a family in it; "" beside any
// other.
std::string DependenciesOf(std::string_view index_url, const Plan& plan);

// A call of pip. `words` stand behind `pip`. It is tried several times if it may use the network.
Step PipStep(std::string title, const std::string& python, std::vector<std::string> words);

// The same, of an install or a download that asks this source and no other, whatever the machine is
// configured with.
Step PipStepFrom(const PackageSource& source, std::string title, const std::string& python,
                 std::vector<std::string> words);

// A call of `uv pip` that works on the environment of `python`; `words` stand behind `uv pip`.
Step UvStep(std::string title, const std::string& uv, const std::string& python,
            std::vector<std::string> words);

// The same, of an install that asks this source and no other. Versions before a release will do:
// what is installed from there is mostly one.
Step UvStepFrom(const PackageSource& source, std::string title, const std::string& uv,
                const std::string& python, std::vector<std::string> words);

// What builds need that run in the environment itself, if it is not there yet: packages of ROCm are
// built without isolation, because for that pip would ask their source for setuptools.
Step BuildToolsStep(const std::string& python);

}  // namespace wheelwright
