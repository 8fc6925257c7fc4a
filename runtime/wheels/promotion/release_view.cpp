#include "runtime/wheels/promotion/release_view.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

#include "base/text.h"
#include "runtime/wheels/index/file_marks.h"
#include "runtime/wheels/version/requirement.h"
#include "runtime/wheels/wheel/dist_info.h"
#include "runtime/wheels/wheel/wheel_name.h"

namespace wheelwright {
namespace {

// The interpreters that the tags of a wheel name: Python 3.12 for cp312.
std::vector<MarkerEnvironment> EnvironmentsOf(const WheelName& name, bool windows) {
  std::vector<MarkerEnvironment> found;
  for (const WheelTag& tag : name.tags) {
    if (!tag.interpreter.starts_with("cp3") || tag.interpreter.size() < 4) continue;
    const auto python = ParsePythonVersion(
        fmt::format("3.{}{}", tag.interpreter.substr(3), tag.abi.ends_with('t') ? "t" : ""));
    if (python) found.push_back({python, windows});
  }
  if (found.empty()) found.push_back({std::nullopt, windows});
  return found;
}

bool Installs(const std::string& file, const MarkerEnvironment& environment) {
  const WheelNameReading name = ReadWheelName(file);
  const WheelPlatform platform =
      environment.windows ? WheelPlatform::kWindows : WheelPlatform::kLinux;
  return name.name && std::ranges::any_of(name.name->tags, [&](const WheelTag& tag) {
           return !environment.python || Installable(tag, *environment.python, platform);
         });
}

}  // namespace

ReleaseView::ReleaseView(Storage& storage, std::string_view release, std::string_view dependencies,
                         std::vector<std::string> own, bool windows)
    : own_(std::move(own)), has_dependencies_(!dependencies.empty()), windows_(windows) {
  if (!release.empty()) List(storage, release);
  if (has_dependencies_) List(storage, dependencies);
}

void ReleaseView::List(Storage& storage, std::string_view folder) {
  const FileMarks yanks = ReadMarks(storage, folder, kYankedFile);
  const FileMarks retired = ReadMarks(storage, folder, kRetiredFile);
  for (const ObjectInfo& object : storage.List(folder)) {
    const std::string_view file = std::string_view(object.key).substr(folder.size());
    if (file.find('/') != std::string_view::npos || retired.contains(file)) continue;
    Add(file);
    const auto read = ReadDistributionName(file);
    if (read && yanks.contains(file)) projects_[read->project].back().yanked = true;
  }
}

void ReleaseView::Add(std::string_view file) {
  if (const auto read = ReadDistributionName(file)) {
    projects_[read->project].push_back({std::string(file), *read});
  }
}

std::string ReleaseView::Lacks(const Requirement& wanted, std::string_view project,
                               const MarkerEnvironment& environment) const {
  std::set<PackageVersion> versions;
  const auto there = projects_.find(project);
  if (there != projects_.end()) {
    for (const File& one : there->second) {
      const PackageVersion& version = one.distribution.version;
      if (one.distribution.wheel && !Installs(one.name, environment)) continue;
      if (wanted.versions.Allows(version) && (!one.yanked || wanted.versions.exact)) return {};
      versions.insert(version);
    }
  }
  return fmt::format(
      "{}:{} there is {}", wanted.text,
      environment.python ? fmt::format(" for Python {}", environment.python->Text()) : "",
      versions.empty() ? fmt::format("no {}", project)
                       : fmt::format("{} {}", project, versions.rbegin()->ToString()));
}

UnmetRequirements ReleaseView::UnmetBy(std::string_view file, std::string_view metadata,
                                       const std::vector<std::string>& extras) const {
  UnmetRequirements unmet;
  const WheelNameReading name = ReadWheelName(file);
  if (!name.name) return unmet;
  const Headers headers = ReadHeaders(metadata);
  for (MarkerEnvironment& environment : EnvironmentsOf(*name.name, windows_)) {
    for (const Header& header : headers.fields) {
      if (!EqualsIgnoringCase(header.name, "Requires-Dist")) continue;
      const std::optional<Requirement> wanted = ReadRequirement(header.value);
      if (!wanted || !wanted->url.empty()) continue;
      const auto holds = [&](const std::string& extra) {
        environment.extra = extra;
        return MarkerHolds(wanted->marker, environment) == true;
      };
      if (!holds("") && std::ranges::none_of(extras, holds)) continue;
      const std::string project = NormalizeProject(wanted->name);
      const bool own = std::ranges::any_of(
          own_, [&](const std::string& pattern) { return MatchesStars(pattern, project); });
      if (!own && !has_dependencies_) continue;
      std::string lacks = Lacks(*wanted, project, environment);
      if (!lacks.empty()) (own ? unmet.own : unmet.others).push_back(std::move(lacks));
    }
  }
  return unmet;
}

}  // namespace wheelwright
