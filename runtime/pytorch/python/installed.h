// What is installed for a Python. pip takes half a second, and maybe the network, to find that
// nothing is missing.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/host/programs/runner.h"
#include "runtime/wheels/version/requirement.h"

namespace wheelwright {

struct InstalledPackages {
  MarkerEnvironment environment;
  std::map<std::string, PackageVersion, std::less<>> versions;  // by normalized name

  bool Has(std::string_view project) const;
  // Whether all of the requirements are met: lines of a requirement file. No for what only pip can
  // tell, such as an option, a URL or an extra.
  bool Meet(const std::vector<std::string>& requirements) const;
};

// Empty in a dry run, and if Python does not answer.
InstalledPackages FindInstalled(const std::string& python, Runner& runner);

// Runs the step, a call of pip, unless the requirements are met. A dry run prints it.
bool RunUnlessMet(const Step& pip, const std::vector<std::string>& requirements, Runner& runner);

}  // namespace wheelwright
