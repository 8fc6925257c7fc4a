#include "runtime/wheels/release/release_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <utility>

#include "base/parallel.h"
#include "base/text.h"
#include "runtime/wheels/index/file_marks.h"
#include "runtime/wheels/index/index_page.h"
#include "runtime/wheels/index/index_writer.h"
#include "runtime/wheels/index/stored_wheel.h"
#include "runtime/wheels/plan/build_rules.h"
#include "runtime/wheels/promotion/release_view.h"
#include "runtime/wheels/version/requirement.h"
#include "runtime/wheels/wheel/dist_info.h"
#include "runtime/wheels/wheel/wheel_name.h"

namespace wheelwright {
namespace {

using Kind = ReleaseFinding::Kind;

constexpr std::size_t kReaders = 16;

// Whether the METADATA's requirements of the project all allow the version.
bool AllowsVersion(std::string_view metadata, std::string_view project,
                   const PackageVersion& version) {
  for (const Header& header : ReadHeaders(metadata).fields) {
    if (!EqualsIgnoringCase(header.name, "Requires-Dist")) continue;
    const auto wanted = ReadRequirement(header.value);
    if (!wanted || NormalizeProject(wanted->name) != project) continue;
    if (!wanted->versions.Allows(version)) return false;
  }
  return true;
}

class Check {
 public:
  Check(Storage& storage, const std::vector<std::string>& folders, std::string_view dependencies,
        const ReleaseSet& set)
      : storage_(storage), folders_(folders), dependencies_(dependencies), set_(set) {}

  ReleaseCheck Run() {
    for (const std::string& folder : folders_) List(folder);
    ReadMetadata();
    result_.of_member.resize(set_.members.size());
    taken_.resize(result_.files.size());
    // The wheels of torch decide which of several others belong to a combo.
    for (const bool torch : {true, false}) {
      for (std::size_t i = 0; i < set_.members.size(); ++i) {
        if ((set_.members[i].project == "torch") == torch) Assign(i);
      }
    }
    FindMissing();
    FindSurplus();
    for (const std::string& platform : set_.platforms) CheckRequirements(platform);
    return std::move(result_);
  }

 private:
  void Add(Kind kind, std::string subject, std::string message) {
    for (const ReleaseFinding& known : result_.findings) {
      if (known.kind == kind && known.message == message) return;
    }
    result_.findings.push_back({kind, std::move(subject), std::move(message)});
  }

  void List(const std::string& folder) {
    const FileMarks yanks = ReadMarks(storage_, folder, kYankedFile);
    const FileMarks retired = ReadMarks(storage_, folder, kRetiredFile);
    for (const ObjectInfo& object : storage_.List(folder)) {
      const std::string name = object.key.substr(folder.size());
      if (name.find('/') != std::string::npos || retired.contains(name)) continue;
      if (!seen_.insert(name).second) continue;
      auto read = ReadDistributionName(name);
      if (!read) continue;
      ReleaseFile file{.key = object.key,
                       .file = name,
                       .size = object.size,
                       .distribution = *std::move(read),
                       .yanked = yanks.contains(name)};
      if (!file.yanked && set_.Holds(file.distribution)) {
        result_.files.push_back(std::move(file));
      } else {
        others_.push_back(std::move(file));
      }
    }
  }

  void ReadMetadata() {
    std::vector<std::string> problems(result_.files.size());
    ParallelFor(result_.files.size(), kReaders, [&](std::size_t i) {
      ReleaseFile& file = result_.files[i];
      if (!file.distribution.wheel) return;
      auto text = storage_.Read(file.key + std::string(kMetadataSuffix));
      WheelMetadata metadata =
          text ? ReadMetadataText(*std::move(text), file.file)
               : ReadStoredMetadata(StoredSource(storage_, file.key, file.size), file.file);
      file.metadata = std::move(metadata.text);
      problems[i] = std::move(metadata.problem);
    });
    for (std::size_t i = 0; i < problems.size(); ++i) {
      const std::string& file = result_.files[i].file;
      if (problems[i].empty()) continue;
      Add(Kind::kMetadata, file, fmt::format("{} is no wheel to install: {}", file, problems[i]));
    }
  }

  // Whether an installer for the member's Python and platform would take the file.
  static bool FitsPlatform(const ReleaseMember& member, const ReleaseFile& file) {
    if (member.archive == file.distribution.wheel) return false;
    if (member.archive) return true;
    const WheelNameReading name = ReadWheelName(file.file);
    return name.name && std::ranges::any_of(name.name->tags, [&](const WheelTag& tag) {
             return tag.platform == "any" || tag.platform == member.tag;
           });
  }
  static bool FitsPython(const ReleaseMember& member, const ReleaseFile& file) {
    if (!member.python) return true;
    const WheelPlatform platform =
        member.platform == "windows" ? WheelPlatform::kWindows : WheelPlatform::kLinux;
    const WheelNameReading name = ReadWheelName(file.file);
    return name.name && std::ranges::any_of(name.name->tags, [&](const WheelTag& tag) {
             return Installable(tag, *member.python, platform);
           });
  }
  bool FitsVersion(const ReleaseMember& member, const ReleaseFile& file) const {
    const PackageVersion& version = file.distribution.version;
    if (member.version) return version == *member.version;
    if (member.project == "torch") {
      const std::string minor = MinorOf(version);
      if (!member.minor.empty()) return minor == member.minor;
      // A ref that moves has what is of no other ref.
      return std::ranges::none_of(set_.members, [&](const ReleaseMember& other) {
        return other.project == "torch" && other.minor == minor;
      });
    }
    const std::string_view label = set_.files.RefLabel(version);
    if (!label.empty() && !member.label.empty() && label != member.label) return false;
    // One of the versions that only the build can name: the wheels of a combo require each other.
    const auto torch = std::ranges::find_if(set_.members, [&](const ReleaseMember& other) {
      return other.project == "torch" && other.combo == member.combo &&
             other.platform == member.platform;
    });
    if (torch == set_.members.end()) return true;
    const auto& files = result_.of_member[static_cast<std::size_t>(torch - set_.members.begin())];
    return std::ranges::any_of(files, [&](std::size_t i) {
      const ReleaseFile& its = result_.files[i];
      return AllowsVersion(file.metadata, "torch", its.distribution.version) &&
             AllowsVersion(its.metadata, member.project, version);
    });
  }

  void Assign(std::size_t at) {
    const ReleaseMember& member = set_.members[at];
    for (std::size_t i = 0; i < result_.files.size(); ++i) {
      const ReleaseFile& file = result_.files[i];
      if (file.distribution.project != member.project || !FitsPlatform(member, file) ||
          !FitsPython(member, file) || !FitsVersion(member, file)) {
        continue;
      }
      result_.of_member[at].push_back(i);
      taken_[i] = true;
    }
  }

  // The newest other file that stands where the member should, for a message.
  std::string NearMiss(const ReleaseMember& member) const {
    const ReleaseFile* newest = nullptr;
    for (const auto* files : {&result_.files, &others_}) {
      for (const ReleaseFile& file : *files) {
        if (file.distribution.project != member.project || !FitsPlatform(member, file) ||
            !FitsPython(member, file)) {
          continue;
        }
        if (newest == nullptr || newest->distribution.version < file.distribution.version) {
          newest = &file;
        }
      }
    }
    if (newest == nullptr) return {};
    return fmt::format(": there is {}{}", newest->file, newest->yanked ? ", which is yanked" : "");
  }

  void FindMissing() {
    std::map<std::string, std::pair<std::string, std::string>> left_out;  // there, missing
    for (std::size_t i = 0; i < set_.members.size(); ++i) {
      const ReleaseMember& member = set_.members[i];
      if (!set_.Compares(member.platform)) continue;
      const bool there = !result_.of_member[i].empty();
      CheckSingle(i);
      if (member.left_out) {
        auto& [has, lacks] = left_out[fmt::format("{} on {}", member.combo, member.platform)];
        (there ? has : lacks) = member.project;
      } else if (!there && member.needed) {
        Add(Kind::kMissing, member.Title(),
            fmt::format("{} is missing{}", member.Title(), NearMiss(member)));
      }
    }
    for (const auto& [combo, parts] : left_out) {
      if (parts.first.empty() || parts.second.empty()) continue;
      Add(Kind::kPartial, combo,
          fmt::format("{} was not promoted, but is there in part: with {} and without {}", combo,
                      parts.first, parts.second));
    }
  }

  // Of torch one version is the right one. The others follow from it.
  void CheckSingle(std::size_t at) {
    if (set_.members[at].project != "torch") return;
    std::set<std::string> versions;
    for (const std::size_t i : result_.of_member[at]) {
      versions.insert(result_.files[i].distribution.version.ToString());
    }
    if (versions.size() < 2) return;
    const Texts all(versions.begin(), versions.end());
    const std::string title = set_.members[at].Title();
    Add(Kind::kVersion, title, fmt::format("{} has several versions: {}", title, JoinWords(all)));
  }

  void FindSurplus() {
    for (std::size_t i = 0; i < result_.files.size(); ++i) {
      const ReleaseFile& file = result_.files[i];
      if (!taken_[i] && file.key == folders_.front() + file.file) Explain(file);
    }
    for (const ReleaseFile& file : others_) {
      if (file.yanked || !HasText(set_.projects, file.distribution.project)) continue;
      if (file.key != folders_.front() + file.file || !file.distribution.version.local.empty()) {
        continue;
      }
      Add(Kind::kVersion, file.file,
          fmt::format("{} names no version of ROCm, so it belongs to no set", file.file));
    }
  }

  // Why a file of this version of ROCm is no member.
  void Explain(const ReleaseFile& file) {
    std::vector<const ReleaseMember*> members;
    for (const ReleaseMember& member : set_.members) {
      if (member.project == file.distribution.project) members.push_back(&member);
    }
    if (members.empty()) {
      return Add(Kind::kUnexpected, file.file,
                 fmt::format("{} is unexpected: the matrix has no {} for {}", file.file,
                             file.distribution.project, set_.family));
    }
    std::erase_if(members, [&](const ReleaseMember* m) { return !FitsPlatform(*m, file); });
    if (members.empty()) {
      return Add(Kind::kPlatform, file.file,
                 fmt::format("{} is for a platform that the matrix does not build {} for",
                             file.file, file.distribution.project));
    }
    std::erase_if(members, [&](const ReleaseMember* m) { return !set_.Compares(m->platform); });
    if (members.empty()) return;  // of a platform that is not compared
    std::erase_if(members, [&](const ReleaseMember* m) { return !FitsPython(*m, file); });
    if (members.empty()) {
      return Add(Kind::kUnexpected, file.file,
                 fmt::format("{} is unexpected: no combo of {} is for its Python", file.file,
                             set_.family));
    }
    std::string wanted;
    std::set<std::string> versions;
    for (const ReleaseMember* member : members) {
      versions.insert(member->version ? member->version->ToString() : member->minor);
    }
    versions.erase("");
    for (const std::string& version : versions) {
      wanted += fmt::format("{}{}", wanted.empty() ? ": " : ", ", version);
    }
    Add(Kind::kVersion, file.file,
        fmt::format("{} is of a version that no combo of {} has{}", file.file, set_.family,
                    wanted));
  }

  void CheckRequirements(const std::string& platform) {
    ReleaseView view(storage_, "", dependencies_, set_.own, platform == "windows");
    std::set<std::size_t> files;
    for (std::size_t i = 0; i < set_.members.size(); ++i) {
      const ReleaseMember& member = set_.members[i];
      if (!member.platform.empty() && member.platform != platform) continue;
      files.insert(result_.of_member[i].begin(), result_.of_member[i].end());
    }
    for (const std::size_t i : files) view.Add(result_.files[i].file);
    for (const std::size_t i : files) {
      const ReleaseFile& file = result_.files[i];
      const std::set<std::string> extras = ExtrasOf(file.metadata);
      const UnmetRequirements unmet =
          view.UnmetBy(file.file, file.metadata, Texts(extras.begin(), extras.end()));
      for (const std::string& one : unmet.own) {
        Add(Kind::kRequirement, file.file, fmt::format("{} requires {}", file.file, one));
      }
      for (const std::string& one : unmet.others) {
        Add(Kind::kDependency, file.file, fmt::format("{} requires {}", file.file, one));
      }
      CheckTexts(file, files);
    }
  }

  // What no comparison of versions finds: addresses, text that cannot be read, unknown extras.
  void CheckTexts(const ReleaseFile& file, const std::set<std::size_t>& files) {
    for (const Header& header : ReadHeaders(file.metadata).fields) {
      if (!EqualsIgnoringCase(header.name, "Requires-Dist")) continue;
      const auto wanted = ReadRequirement(header.value);
      if (!wanted) {
        Add(Kind::kRequirement, file.file,
            fmt::format("{} requires '{}', which cannot be read", file.file, header.value));
      } else if (!wanted->url.empty()) {
        Add(Kind::kRequirement, file.file,
            fmt::format("{} requires {}, which no index has", file.file, wanted->text));
      } else {
        CheckExtras(file, *wanted, files);
      }
    }
  }

  void CheckExtras(const ReleaseFile& file, const Requirement& wanted,
                   const std::set<std::size_t>& files) {
    if (wanted.extras.empty()) return;
    const std::string project = NormalizeProject(wanted.name);
    std::set<std::string> provided;
    bool there = false;
    for (const std::size_t i : files) {
      const ReleaseFile& other = result_.files[i];
      if (other.distribution.project != project) continue;
      there = true;
      provided.merge(ExtrasOf(other.metadata));
    }
    for (const ReleaseMember& member : set_.members) {
      if (member.project != project) continue;
      for (const std::string& extra : member.extras) provided.insert(NormalizeProject(extra));
    }
    if (!there) return;  // of somebody else, or missing
    for (const std::string& extra : wanted.extras) {
      if (provided.contains(NormalizeProject(extra))) continue;
      Add(Kind::kExtra, file.file,
          fmt::format("{} requires {}, but {} has no extra '{}'", file.file, wanted.text, project,
                      extra));
    }
  }

  Storage& storage_;
  const std::vector<std::string>& folders_;
  std::string_view dependencies_;
  const ReleaseSet& set_;
  std::set<std::string, std::less<>> seen_;
  std::vector<ReleaseFile> others_;  // of other versions, or yanked
  std::vector<bool> taken_;          // parallel to the files
  ReleaseCheck result_;
};

}  // namespace

std::string_view NameOf(ReleaseFinding::Kind kind) {
  static constexpr std::array<std::string_view, 9> kNames{"missing", "unexpected", "platform",
                                                          "version", "partial",    "requirement",
                                                          "extra",   "metadata",   "dependency"};
  return kNames[static_cast<std::size_t>(kind)];
}

bool ReleaseCheck::whole() const {
  return std::ranges::none_of(findings, [](const ReleaseFinding& one) { return one.error(); });
}

ReleaseCheck CheckRelease(Storage& storage, const std::vector<std::string>& folders,
                          std::string_view dependencies, const ReleaseSet& set) {
  return Check(storage, folders, dependencies, set).Run();
}

std::vector<PackageVersion> ListReleases(Storage& storage,
                                         const std::vector<std::string>& folders) {
  std::set<PackageVersion> versions;
  for (const std::string& folder : folders) {
    const FileMarks yanks = ReadMarks(storage, folder, kYankedFile);
    const FileMarks retired = ReadMarks(storage, folder, kRetiredFile);
    for (const ObjectInfo& object : storage.List(folder)) {
      const std::string_view name = std::string_view(object.key).substr(folder.size());
      const auto read = ReadDistributionName(name);
      if (!read || read->wheel || read->project != "rocm") continue;
      if (yanks.contains(name) || retired.contains(name)) continue;
      versions.insert(read->version);
    }
  }
  return {versions.begin(), versions.end()};
}

}  // namespace wheelwright
