#include "runtime/pytorch/python/installed.h"

#include <algorithm>

#include "base/text.h"
#include "runtime/wheels/wheel/wheel_name.h"

namespace wheelwright {
namespace {

// Prints the version of Python, then a package and its version on each line: the name of the folder
// with its metadata has both, and importing what reads them takes longer than all the rest. Not
// from the current folder, as pip has it.
constexpr std::string_view kList =
    "import os, sys\n"
    "print('python %d.%d' % sys.version_info[:2])\n"
    "for folder in filter(os.path.isdir, sys.path):\n"
    "    for stem, kind in map(os.path.splitext, os.listdir(folder)):\n"
    "        if kind in ('.dist-info', '.egg-info'): print(*stem.split('-')[:2])";

}  // namespace

bool InstalledPackages::Has(std::string_view project) const {
  return versions.contains(NormalizeProject(project));
}

bool InstalledPackages::Meet(const std::vector<std::string>& requirements) const {
  return std::ranges::all_of(requirements, [&](std::string_view line) {
    line = Trim(line.substr(0, line.starts_with('#') ? 0 : line.find(" #")));
    if (line.empty()) return true;
    const std::optional<Requirement> wanted = ReadRequirement(line);
    if (!wanted || !wanted->url.empty() || !wanted->extras.empty()) return false;
    const bool counts =
        wanted->marker.empty() || MarkerHolds(wanted->marker, environment).value_or(true);
    const auto found = versions.find(NormalizeProject(wanted->name));
    return !counts || (found != versions.end() && wanted->versions.Allows(found->second));
  });
}

InstalledPackages FindInstalled(const std::string& python, Runner& runner) {
  InstalledPackages installed{.environment = {.windows = runner.host().machine.windows}};
  if (runner.dry_run()) return installed;
  const auto answer = runner.Try({.title = "look for installed packages",
                                  .arguments = {python, "-c", std::string(kList)},
                                  .variables = {{"PYTHONUTF8", "1"}}});
  if (!answer) return installed;
  for (const std::string_view line : Split(*answer, '\n')) {
    const std::size_t space = line.find(' ');
    if (space == std::string_view::npos) continue;
    const std::string_view name = line.substr(0, space);
    const std::string_view version = Trim(line.substr(space));
    if (!installed.environment.python) installed.environment.python = ParsePythonVersion(version);
    // The first one on the path is imported.
    if (auto parsed = ParsePackageVersion(version)) {
      installed.versions.try_emplace(NormalizeProject(name), *std::move(parsed));
    }
  }
  return installed;
}

bool RunUnlessMet(const Step& pip, const std::vector<std::string>& requirements, Runner& runner) {
  return FindInstalled(pip.arguments.front(), runner).Meet(requirements) || runner.Run(pip);
}

}  // namespace wheelwright
