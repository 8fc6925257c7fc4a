#include "runtime/wheels/resolve/conflict.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <deque>
#include <map>
#include <set>

#include "base/text.h"
#include "runtime/wheels/wheel/dist_info.h"

namespace wheelwright {
namespace {

// A requirement of a package, and the file that states it; "": the cell itself.
struct Demand {
  Requirement requirement;
  std::string project;
  std::string by;
};

bool Takes(const IndexedFile& file, const Requirement& wanted) {
  return wanted.versions.Allows(file.version) && (!file.yanked || wanted.versions.exact);
}

std::vector<std::string> Normalized(const std::vector<std::string>& names) {
  std::vector<std::string> normal;
  for (const std::string& name : names) normal.push_back(NormalizeProject(name));
  return normal;
}

std::vector<Demand> DemandsOf(const InstallCell& cell) {
  std::vector<Demand> demands;
  for (const std::string& want : cell.wants) {
    std::optional<Requirement> wanted = ReadRequirement(want);
    if (!wanted) continue;
    std::string project = NormalizeProject(wanted->name);
    demands.push_back({*std::move(wanted), std::move(project), {}});
  }
  return demands;
}

class Walk {
 public:
  Walk(InstallView& view, const InstallCell& cell, WheelPlatform platform, bool others)
      : view_(view), cell_(cell), platform_(platform), others_(others) {}

  std::vector<std::string> Run() {
    for (Demand& demand : DemandsOf(cell_)) open_.push_back(std::move(demand));
    while (!open_.empty()) {
      Demand demand = std::move(open_.front());
      open_.pop_front();
      Expand(demand);
      asked_[demand.project].push_back(std::move(demand));
    }
    std::vector<std::string> conflicts;
    for (const auto& [project, demands] : asked_) {
      std::string conflict = ConflictOf(project, demands);
      if (!conflict.empty()) conflicts.push_back(std::move(conflict));
    }
    return conflicts;
  }

 private:
  // Adds what the newest file that meets the demand asks for in turn.
  void Expand(const Demand& demand) {
    const std::span<const IndexedFile> files = view_.FilesOf(demand.project);
    const auto found = std::find_if(files.rbegin(), files.rend(), [&](const IndexedFile& file) {
      return Takes(file, demand.requirement) && FitsCell(file, cell_.python, platform_);
    });
    if (found == files.rend()) return;
    const std::vector<std::string> extras = Normalized(demand.requirement.extras);
    if (!seen_.insert(fmt::format("{} {}", found->file, fmt::join(extras, ","))).second) return;
    for (StatedRequirement& stated :
         RequirementsOf(view_.MetadataOf(*found), cell_.python, platform_, extras)) {
      open_.push_back(
          {std::move(stated.requirement), std::move(stated.project), view_.StoredName(*found)});
    }
  }

  std::string ConflictOf(const std::string& project, const std::vector<Demand>& demands) const {
    const std::span<const IndexedFile> files = view_.FilesOf(project);
    if (files.empty() && others_) return {};
    std::set<PackageVersion> there;
    for (const IndexedFile& file : files) {
      if (!FitsCell(file, cell_.python, platform_)) continue;
      const bool suits = std::ranges::all_of(
          demands, [&](const Demand& demand) { return Takes(file, demand.requirement); });
      if (suits) return {};
      there.insert(file.version);
    }
    std::set<std::string> lines;
    for (const Demand& demand : demands) {
      lines.insert(demand.by.empty()
                       ? fmt::format("\n  {} is to be installed", demand.requirement.text)
                       : fmt::format("\n  {} requires {}", demand.by, demand.requirement.text));
    }
    return fmt::format("{}{}\n  {}",
                       demands.size() > 1 && !there.empty()
                           ? fmt::format("{}: no version is what all of these ask for", project)
                           : fmt::format("{}: what is asked for is not there", project),
                       fmt::join(lines, ""), There(project, there, files));
  }

  std::string There(const std::string& project, const std::set<PackageVersion>& there,
                    std::span<const IndexedFile> files) const {
    if (files.empty()) return fmt::format("there is no {} at all", project);
    if (there.empty()) {
      return fmt::format("no file of {} is for Python {} on this platform; there is {}", project,
                         cell_.python.Text(), files.back().file);
    }
    constexpr std::size_t kMostShown = 4;
    std::vector<std::string> shown;
    for (auto version = there.rbegin(); version != there.rend(); ++version) {
      if (shown.size() < kMostShown) shown.push_back(version->ToString());
    }
    return fmt::format("there is {} {}{}", project, fmt::join(shown, ", "),
                       there.size() > shown.size()
                           ? fmt::format(" and {} older", there.size() - shown.size())
                           : "");
  }

  InstallView& view_;
  const InstallCell& cell_;
  WheelPlatform platform_;
  bool others_;
  std::deque<Demand> open_;
  std::set<std::string> seen_;
  std::map<std::string, std::vector<Demand>> asked_;
};

// Whether METADATA says all extras. That of a source archive may leave them to the build (PEP 643).
bool SaysAllExtras(std::string_view stored, std::string_view metadata) {
  if (stored.ends_with(".whl")) return true;
  const Headers headers = ReadHeaders(metadata);
  const Header* version = headers.Find("Metadata-Version");
  const auto number = version != nullptr ? ParsePackageVersion(version->value) : std::nullopt;
  if (!number || *number < *ParsePackageVersion("2.2")) return false;
  return std::ranges::none_of(headers.fields, [](const Header& header) {
    return EqualsIgnoringCase(header.name, "Dynamic") &&
           EqualsIgnoringCase(Trim(header.value), "Provides-Extra");
  });
}

// The file of a chosen version, or null.
const IndexedFile* FileOf(const InstallView& view, const std::string& project,
                          const PackageVersion& version, const InstallCell& cell,
                          WheelPlatform platform) {
  for (const IndexedFile& file : view.FilesOf(project)) {
    if (file.version == version && FitsCell(file, cell.python, platform)) return &file;
  }
  return nullptr;
}

}  // namespace

std::vector<std::string> ExplainConflicts(InstallView& view, const InstallCell& cell,
                                          WheelPlatform platform, bool others) {
  return Walk(view, cell, platform, others).Run();
}

std::vector<std::string> FaultsOfChoice(InstallView& view, const InstallCell& cell,
                                        const ChosenVersions& chosen, const RunVersions& run,
                                        WheelPlatform platform) {
  std::vector<Demand> demands = DemandsOf(cell);
  const std::vector<Demand> roots = demands;
  for (const auto& [project, version] : chosen) {
    const IndexedFile* file = FileOf(view, project, version, cell, platform);
    if (file == nullptr) continue;
    std::vector<std::string> extras;
    for (const Demand& root : roots) {
      if (root.project == project) extras = Normalized(root.requirement.extras);
    }
    for (StatedRequirement& stated :
         RequirementsOf(view.MetadataOf(*file), cell.python, platform, extras)) {
      demands.push_back(
          {std::move(stated.requirement), std::move(stated.project), view.StoredName(*file)});
    }
  }
  std::vector<std::string> faults;
  for (const auto& [project, version] : chosen) {
    const auto own = run.find(project);
    if (own != run.end() && !own->second.contains(version)) {
      std::string fault = fmt::format("{} {} would be installed, which is not of this run", project,
                                      version.ToString());
      for (const Demand& demand : demands) {
        if (demand.project != project) continue;
        fault += fmt::format("\n  {} requires {}", demand.by, demand.requirement.text);
      }
      faults.push_back(
          fault + fmt::format("\n  this run has {} {}", project, own->second.rbegin()->ToString()));
    }
    const IndexedFile* file = FileOf(view, project, version, cell, platform);
    if (file == nullptr || !SaysAllExtras(view.StoredName(*file), view.MetadataOf(*file))) continue;
    const std::set<std::string> provided = ExtrasOf(view.MetadataOf(*file));
    for (const Demand& demand : demands) {
      if (demand.project != project) continue;
      for (const std::string& extra : Normalized(demand.requirement.extras)) {
        if (provided.contains(extra)) continue;
        faults.push_back(
            fmt::format("{} has no extra {}: installers would only warn\n  {} requires {}",
                        view.StoredName(*file), extra, demand.by, demand.requirement.text));
      }
    }
  }
  return faults;
}

}  // namespace wheelwright
