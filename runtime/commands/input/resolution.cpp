#include "runtime/commands/input/resolution.h"

#include <algorithm>
#include <set>

#include "runtime/wheels/promotion/planned_release.h"
#include "runtime/wheels/resolve/release_resolution.h"

namespace wheelwright {
namespace {

// The Pythons that the matrix builds for the family, for wheels that name none.
std::vector<PythonVersion> PythonsOfFamily(const Arguments& arguments, const std::string& family,
                                           const Plan& plan) {
  std::vector<std::string> texts = arguments.All("python");
  if (texts.empty()) {
    for (const PlannedSet& set : plan.selection.combos) {
      for (const PlannedBuild& build : set.builds) {
        if (build.gfx != family || build.platform != arguments.Get("platform")) continue;
        for (const PlannedCombo& combo : build.combos) texts.push_back(combo.python);
      }
    }
  }
  std::vector<PythonVersion> pythons;
  std::set<std::string> seen;
  for (const std::string& text : texts) {
    const std::optional<PythonVersion> python = ParsePythonVersion(text);
    if (python && seen.insert(python->Text()).second) pythons.push_back(*python);
  }
  return pythons;
}

}  // namespace

std::vector<OptionSpec> ResolutionOptions() {
  return {
      {.name = "dependencies-url",
       .argument = "URL",
       .help = "The index of third-party packages (default: the index of dependencies of the "
               "release type, as it is in the store; if it has none, https://pypi.org/simple/)"},
      {.name = "python",
       .argument = "VERSION",
       .help = "A Python to resolve for, if the wheels are for any; may be given several times "
               "(default: those of the family in the matrix)"}};
}

bool ResolveBeforePublishing(Storage& storage, const ReleaseFolders& folders,
                             const std::vector<TestedWheel>& wheels, const Arguments& arguments,
                             const Plan& plan, const std::string& uv, Host& host,
                             std::string& summary) {
  ReleaseQuestion question{.release = folders.release,
                           .dependencies = folders.dependencies,
                           .dependencies_url = std::string(arguments.Get("dependencies-url")),
                           .wheels = {},
                           .staged = {},
                           .pythons = PythonsOfFamily(arguments, folders.family, plan),
                           .platform = arguments.Get("platform") == "windows"
                                           ? WheelPlatform::kWindows
                                           : WheelPlatform::kLinux};
  // Users of a release without an index of dependencies have to use the public one.
  if (question.dependencies.empty() && question.dependencies_url.empty()) {
    question.dependencies_url = "https://pypi.org/simple/";
  }
  std::vector<PromotedWheel> planned;
  for (const TestedWheel& wheel : wheels) {
    if (const WheelNameReading name = ReadWheelName(wheel.file); name.name) {
      question.wheels.push_back(*name.name);
    }
    if (storage.Head(folders.release + wheel.file)) continue;
    question.staged.push_back(wheel.file);
    planned.push_back({.file = wheel.file, .sha256 = wheel.sha256});
  }
  PlannedRelease release(storage, folders.staging, folders.release, planned);
  return ReportResolution(ResolveRelease(release, question, uv, host), host, summary);
}

}  // namespace wheelwright
