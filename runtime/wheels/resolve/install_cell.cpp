#include "runtime/wheels/resolve/install_cell.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

#include "base/text.h"
#include "runtime/wheels/wheel/dist_info.h"

namespace wheelwright {
namespace {

bool FitsTags(const WheelName& wheel, const PythonVersion& python, WheelPlatform platform) {
  return std::ranges::any_of(
      wheel.tags, [&](const WheelTag& tag) { return Installable(tag, python, platform); });
}

const IndexedFile* FindFile(const InstallView& view, const WheelName& wheel) {
  for (const IndexedFile& file : view.FilesOf(wheel.Project())) {
    if (file.file == wheel.file) return &file;
  }
  return nullptr;
}

}  // namespace

std::string InstallCell::Label() const {
  return fmt::format("Python {}: {}", python.Text(), fmt::join(wants, " "));
}

RunVersions VersionsOf(std::span<const WheelName> wheels) {
  RunVersions versions;
  for (const WheelName& wheel : wheels) versions[wheel.Project()].insert(wheel.version);
  return versions;
}

std::vector<PythonVersion> PythonsOf(std::span<const WheelName> wheels) {
  std::map<PackageVersion, PythonVersion> found;
  for (const WheelName& wheel : wheels) {
    for (const WheelTag& tag : wheel.tags) {
      // One of the stable ABI is for later Pythons too, and says nothing of what a run is for.
      if (!tag.interpreter.starts_with("cp3") || tag.abi == "abi3") continue;
      const std::string number = "3." + tag.interpreter.substr(3);
      const std::string_view thread = tag.abi.ends_with('t') ? "t" : "";
      const auto python = ParsePythonVersion(number + std::string(thread));
      const auto order = ParsePackageVersion(number + (thread.empty() ? "" : ".post1"));
      if (python && order) found.emplace(*order, *python);
    }
  }
  std::vector<PythonVersion> pythons;
  for (auto& [order, python] : found) pythons.push_back(std::move(python));
  return pythons;
}

std::vector<InstallCell> CellsOf(InstallView& view, std::span<const WheelName> wheels,
                                 std::span<const PythonVersion> pythons, WheelPlatform platform) {
  std::vector<InstallCell> cells;
  for (const PythonVersion& python : pythons) {
    std::map<std::string, std::set<std::string>> pins;  // by project
    std::vector<const WheelName*> fitting;
    for (const WheelName& wheel : wheels) {
      if (!FitsTags(wheel, python, platform)) continue;
      if (pins[wheel.Project()].insert(wheel.version.Pin()).second) fitting.push_back(&wheel);
    }
    for (const WheelName* wheel : fitting) {
      const std::string project = wheel->Project(), pin = wheel->version.Pin();
      const IndexedFile* file = FindFile(view, *wheel);
      const std::string metadata = file == nullptr ? "" : view.MetadataOf(*file);
      std::vector<std::string> with;
      for (const StatedRequirement& stated : RequirementsOf(metadata, python, platform, {})) {
        const auto own = pins.find(stated.project);
        if (!stated.requirement.versions.clauses.empty() || own == pins.end()) continue;
        if (own->second.size() == 1) with.push_back(stated.project + *own->second.begin());
      }
      const auto add = [&](std::string wanted) {
        std::vector<std::string> wants{std::move(wanted)};
        wants.insert(wants.end(), with.begin(), with.end());
        cells.push_back({python, std::move(wants)});
      };
      add(project + pin);
      for (const std::string& extra : ExtrasOf(metadata)) {
        add(fmt::format("{}[{}]{}", project, extra, pin));
      }
    }
    const bool fit =
        std::ranges::all_of(pins, [](const auto& one) { return one.second.size() == 1; });
    if (pins.size() < 2 || !fit) continue;
    InstallCell& all = cells.emplace_back(InstallCell{python, {}});
    for (const auto& [project, versions] : pins) all.wants.push_back(project + *versions.begin());
  }
  return cells;
}

std::vector<StatedRequirement> RequirementsOf(std::string_view metadata,
                                              const PythonVersion& python, WheelPlatform platform,
                                              std::span<const std::string> extras) {
  std::vector<StatedRequirement> stated;
  MarkerEnvironment environment{python, platform == WheelPlatform::kWindows};
  for (const Header& header : ReadHeaders(metadata).fields) {
    if (!EqualsIgnoringCase(header.name, "Requires-Dist")) continue;
    std::optional<Requirement> wanted = ReadRequirement(header.value);
    if (!wanted) continue;
    environment.extra.clear();
    bool holds = MarkerHolds(wanted->marker, environment) == true;
    for (const std::string& extra : extras) {
      environment.extra = extra;
      holds = holds || MarkerHolds(wanted->marker, environment) == true;
    }
    if (!holds) continue;
    std::string project = NormalizeProject(wanted->name);
    stated.push_back({*std::move(wanted), std::move(project)});
  }
  return stated;
}

bool FitsCell(const IndexedFile& file, const PythonVersion& python, WheelPlatform platform) {
  const WheelNameReading name = ReadWheelName(file.file);
  if (!name.name || !FitsTags(*name.name, python, platform)) return false;
  if (file.requires_python.empty()) return true;
  const auto bounds = ParseVersionSpecifier(file.requires_python);
  const auto number = ParsePackageVersion(python.number);
  return !bounds || !number || bounds->Allows(*number);
}

}  // namespace wheelwright
