// Installing packages: where they come from, and how pip is called.
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
#include "runtime/plan/plan.h"
#include "runtime/process/runner.h"

namespace wheelwright {

// One of the two is "".
struct PackageSource {
  std::string index_url;   // an index as PEP 503 has it
  std::string find_links;  // a page of links, or a folder
};

// The options by which commands are told a source.
std::vector<OptionSpec> SourceOptions();

// Reads them. Reports when there is none, or both.
std::optional<PackageSource> TakePackageSource(const Arguments& arguments, std::string_view command,
                                               Diagnostics& diagnostics);

// An index of a release type has a folder for each family: of such a URL, the family's. Of any
// other, the URL itself.
std::string IndexOfFamily(std::string_view url, std::string_view family, const Plan& plan);

// A call of pip. `words` stand behind `pip`. It is tried several times if it may use the network.
Step PipStep(std::string title, const std::string& python, std::vector<std::string> words);

// The same, of an install or a download that asks this source and no other, whatever the machine is
// configured with.
Step PipStepFrom(const PackageSource& source, std::string title, const std::string& python,
                 std::vector<std::string> words);

// What builds need that run in the environment itself, if it is not there yet: packages of ROCm are
// built without isolation, because for that pip would ask their source for setuptools.
Step BuildToolsStep(const std::string& python);

}  // namespace wheelwright
