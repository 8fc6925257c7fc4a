// Where shared objects and programs for Linux find the libraries that they need.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "base/quote.h"
#include "base/text.h"
#include "runtime/wheels/wheel/dist_info.h"
#include "runtime/wheels/wheel/platform_policy.h"
#include "runtime/wheels/wheel/wheel_libraries.h"
#include "runtime/wheels/wheel/wheel_rules.h"

namespace wheelwright {
namespace {

// For wheels without a promise: what the newest manylinux systems have is found nearly everywhere.
constexpr unsigned kNewestPolicy = 41;

// Libraries look into five or so.
constexpr std::size_t kMostFolders = 100;

// The folder of a path; "" at the top.
std::string_view FolderOf(std::string_view path) {
  const std::size_t slash = path.rfind('/');
  return slash == std::string_view::npos ? std::string_view() : path.substr(0, slash);
}

// The path below the folder of installed packages; nothing for files that go elsewhere.
// https://packaging.python.org/specifications/binary-distribution-format/#the-data-directory
std::optional<std::string_view> InstalledPath(std::string_view entry) {
  const std::size_t slash = entry.find('/');
  if (slash == std::string_view::npos || !entry.substr(0, slash).ends_with(".data")) return entry;
  for (const std::string_view folder : {"platlib/", "purelib/"}) {
    if (entry.substr(slash + 1).starts_with(folder)) {
      return entry.substr(slash + 1 + folder.size());
    }
  }
  return std::nullopt;
}

// Follows a relative path from a folder; nothing when it leads above the top.
std::optional<std::string> Follow(std::string_view folder, std::string_view path) {
  std::vector<std::string_view> parts;
  if (!folder.empty()) parts = Split(folder, '/');
  for (const std::string_view part : Split(path, '/')) {
    if (part.empty() || part == ".") continue;
    if (part != "..") {
      parts.push_back(part);
    } else if (parts.empty()) {
      return std::nullopt;
    } else {
      parts.pop_back();
    }
  }
  return fmt::format("{}", fmt::join(parts, "/"));
}

// The part behind $ORIGIN; nothing for paths that do not begin with it.
std::optional<std::string_view> BehindOrigin(std::string_view path) {
  for (const std::string_view origin : {"$ORIGIN", "${ORIGIN}"}) {
    if (!path.starts_with(origin)) continue;
    const std::string_view rest = path.substr(origin.size());
    if (rest.empty() || rest.front() == '/') return rest;
  }
  return std::nullopt;
}

class LinkageCheck {
 public:
  LinkageCheck(const WheelContents& wheel, const WheelExpectations& expected,
               std::span<const WheelContents> all, WheelFindings& findings)
      : wheel_(wheel),
        promise_(PromiseOf(wheel)),
        own_(wheel),
        packages_known_(!expected.packages.empty()),
        findings_(findings) {
    for (const ZipEntry& entry : wheel.archive.entries) {
      const auto path = InstalledPath(entry.name);
      if (!path) continue;
      folders_of_[path->substr(path->rfind('/') + 1)].insert(FolderOf(*path));
      tops_.insert(path->substr(0, path->find('/')));
    }
    FindRequired(expected, all);
  }

  void Run() {
    for (std::size_t i = 0; i < wheel_.facts.size(); ++i) {
      const NativeFacts& facts = wheel_.facts[i].native;
      if (!IsLinuxProgram(facts) || !wheel_.facts[i].problem.empty()) continue;
      const std::string& entry = wheel_.archive.entries[i].name;
      const std::set<std::string> folders = CheckSearchPath(entry, facts);
      const std::set<std::string_view> libraries(facts.libraries.begin(), facts.libraries.end());
      for (const std::string_view library : libraries) CheckLibrary(entry, library, folders);
      if (facts.executable_stack) {
        shared_.Add("wheel-code", "needs a stack that can be executed", entry, "",
                    "glibc 2.41 and newer refuse to load it: link with -z noexecstack");
      }
      if (facts.writable_code) {
        shared_.Add("wheel-code", "has a segment that is both written and executed", entry, "",
                    "hardened systems refuse to load it: see which linker script made it");
      }
    }
    shared_.ReportTo(findings_);
  }

 private:
  void FindRequired(const WheelExpectations& expected, std::span<const WheelContents> all) {
    const std::set<std::string> projects = RequiredProjects(wheel_.metadata.text);
    for (const PackageLibraries& package : expected.packages) {
      if (projects.contains(package.project)) required_.push_back(&package);
    }
    for (const WheelContents& other : all) {
      if (!other.reading.name || !projects.contains(other.reading.name->Project())) continue;
      beside_.emplace_back(other);
      for (const ZipEntry& entry : other.archive.entries) {
        if (const auto path = InstalledPath(entry.name)) {
          tops_.insert(path->substr(0, path->find('/')));
        }
      }
    }
  }

  bool RequiredHas(std::string_view library) const {
    return std::ranges::any_of(beside_,
                               [&](const OwnLibraries& other) { return other.Has(library); }) ||
           std::ranges::any_of(required_, [&](const PackageLibraries* package) {
             return std::ranges::any_of(package->libraries, [&](const std::string& pattern) {
               return MatchesStars(pattern, library);
             });
           });
  }

  void CheckLibrary(const std::string& entry, std::string_view library,
                    const std::set<std::string>& folders) {
    if (own_.Has(library)) {
      const auto there = folders_of_.find(library);
      const bool reached = there != folders_of_.end() &&
                           std::ranges::any_of(folders, [&](const std::string& folder) {
                             return there->second.contains(folder);
                           });
      if (reached || !InstalledPath(entry)) return;
      shared_.Add(
          "wheel-rpath",
          fmt::format("needs {}, which is in the wheel where it does not look", Quoted(library)),
          entry, "",
          "it loads only if Python has loaded that one before: give it a RUNPATH from $ORIGIN to "
          "the folder of a file with this name");
      return;
    }
    const bool musl = promise_.musl;
    const unsigned glibc = promise_.tag.empty() ? kNewestPolicy : promise_.glibc_minor;
    if (musl ? MusllinuxHas(library) : ManylinuxHas(library, glibc)) return;
    if (promise_.tag.empty() && MusllinuxHas(library)) return;
    if (RequiredHas(library)) return;
    const std::string what =
        fmt::format("needs {}, which neither the wheel nor what it requires has", Quoted(library));
    if (library.starts_with("libpython")) {
      shared_.Add(
          "wheel-external", what, entry, "",
          "not every Python has it, and none needs it for extensions: link without it (PEP 513)",
          promise_.tag.empty() ? Severity::kWarning : Severity::kError);
    } else if (promise_.tag.empty()) {
      shared_.Add(
          "wheel-external", what, entry, "",
          "a system may not have it: put it into the wheel, or require the package that has it");
    } else {
      shared_.Add(
          "wheel-external", what, entry, "",
          fmt::format("{} promises to need nothing else of a system: put it into the wheel, as "
                      "`auditwheel repair` does, or use the tag linux",
                      promise_.tag),
          Severity::kError);
    }
  }

  // Returns the folders that it searches below that of installed packages.
  std::set<std::string> CheckSearchPath(const std::string& entry, const NativeFacts& facts) {
    std::set<std::string> folders;
    if (!facts.search_path) return folders;
    const auto installed = InstalledPath(entry);
    for (const std::string_view path : Split(*facts.search_path, ':')) {
      const auto behind = BehindOrigin(path);
      if (path.starts_with('/')) {
        shared_.Add(
            "wheel-rpath", fmt::format("looks for libraries in {}", Quoted(path)), entry, "",
            "only the machine that built it has this folder, and elsewhere somebody else may fill "
            "it: use $ORIGIN");
      } else if (!behind && path.find('$') == std::string_view::npos) {
        shared_.Add(
            "wheel-rpath",
            path.empty()
                ? "looks for libraries in the current folder"
                : fmt::format("looks for libraries in {}, below the current folder", Quoted(path)),
            entry, "", "whoever can write there runs code in the process: use $ORIGIN");
      }
      if (!behind || !installed || behind->find('$') != std::string_view::npos) continue;
      auto folder = CheckFolder(entry, *installed, path, *behind);
      if (folder && folders.size() < kMostFolders) folders.insert(*std::move(folder));
    }
    return folders;
  }

  std::optional<std::string> CheckFolder(const std::string& entry, std::string_view installed,
                                         std::string_view path, std::string_view behind) {
    std::optional<std::string> folder = Follow(FolderOf(installed), behind);
    if (!folder) {
      shared_.Add(
          "wheel-rpath",
          fmt::format("looks for libraries in {}, outside of the installed packages", Quoted(path)),
          entry, FolderOf(entry), "what lies there differs from system to system");
      return folder;
    }
    const std::string_view top = std::string_view(*folder).substr(0, folder->find('/'));
    const bool known =
        !packages_known_ || top.empty() || tops_.contains(top) ||
        std::ranges::any_of(required_, [&](const PackageLibraries* package) {
          return std::ranges::any_of(package->folders, [&](const std::string& pattern) {
            return MatchesStars(pattern, top);
          });
        });
    if (!known) {
      shared_.Add("wheel-rpath",
                  fmt::format("looks for libraries in {}, a folder of no package that it requires",
                              Quoted(top)),
                  entry, "", "require the package, or declare its folder in the matrix");
    }
    return folder;
  }

  const WheelContents& wheel_;
  LinuxPromise promise_;
  OwnLibraries own_;
  bool packages_known_;
  WheelFindings& findings_;
  std::map<std::string_view, std::set<std::string_view>> folders_of_;  // of files by their names
  std::set<std::string_view> tops_;
  std::vector<const PackageLibraries*> required_;
  std::vector<OwnLibraries> beside_;
  SharedFindings shared_;
};

}  // namespace

void CheckWheelLinkage(const WheelContents& wheel, const WheelExpectations& expected,
                       std::span<const WheelContents> all, WheelFindings& findings) {
  const bool any = std::ranges::any_of(
      wheel.facts, [](const EntryFacts& facts) { return IsLinuxProgram(facts.native); });
  if (wheel.reading.name && any) LinkageCheck(wheel, expected, all, findings).Run();
}

}  // namespace wheelwright
