#include "runtime/wheels/release/prune.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <utility>

#include "base/json.h"
#include "base/parallel.h"
#include "base/text.h"
#include "runtime/host/environment/host.h"
#include "runtime/wheels/index/distribution.h"
#include "runtime/wheels/index/file_marks.h"
#include "runtime/wheels/release/release_record.h"
#include "runtime/wheels/release/rocm_of_files.h"

namespace wheelwright {
namespace {

constexpr std::size_t kRemovers = 16;

// The file that a file lies beside: "a.whl" for "a.whl" and "a.whl.metadata"; "" for others.
std::string_view FileBeside(std::string_view name) {
  for (const std::string_view ending : {".whl", ".tar.gz", ".zip"}) {
    if (name.ends_with(ending)) return name;
    const std::size_t at = name.find(fmt::format("{}.", ending));
    if (at != std::string_view::npos) return name.substr(0, at + ending.size());
  }
  return {};
}

class Planner {
 public:
  Planner(Storage& storage, std::string_view folder, const PruneRules& rules,
          std::chrono::system_clock::time_point now)
      : storage_(storage), folder_(folder), rules_(rules), cutoff_(TimeText(now - rules.days)) {}

  PrunePlan Run(std::string_view releases, const Plan& plan) {
    RocmOfFiles rocm(plan);
    for (const std::string_view folder : {folder_, releases}) {
      for (const ObjectInfo& object : storage_.List(folder)) {
        const auto read = ReadDistributionName(std::string_view(object.key).substr(folder.size()));
        if (read && rocm.IsRocm(*read)) rocm.Add(read->version);
        if (folder == folder_) AddObject(object);
      }
    }
    marks_ = ReadMarks(storage_, folder_, kRetiredFile);
    // What a killed removal has left: marks alone.
    for (const auto& [file, since] : marks_) {
      files_[file].file = file;
      const auto read = ReadDistributionName(file);
      if (read && rocm.IsRocm(*read)) rocm.Add(read->version);
    }
    std::map<std::optional<PackageVersion>, PrunedVersion, std::greater<>> versions;
    for (auto& [name, file] : files_) {
      const auto read = ReadDistributionName(name);
      const auto version = read ? rocm.Of(*read) : std::nullopt;
      versions[version].files.push_back(std::move(file));
    }
    std::size_t place = 0;
    for (auto& [version, row] : versions) {
      if (!version) continue;
      row.rocm = version;
      const auto kept = rules_.kept.find(*version);
      if (place < rules_.newest) {
        row.why = fmt::format("one of the newest {}", rules_.newest);
      } else if (kept != rules_.kept.end()) {
        row.why = kept->second;
      }
      ++place;
      if (!row.why.empty()) ReadRecordOf(*version);
    }
    PrunePlan result;
    for (auto& [version, row] : versions) {
      for (PrunedFile& file : row.files) file.fate = FateOf(file.file, row);
      if (!row.files.empty()) result.versions.push_back(std::move(row));
    }
    return result;
  }

 private:
  void AddObject(const ObjectInfo& object) {
    const std::string_view name = std::string_view(object.key).substr(folder_.size());
    if (name.find('/') != std::string_view::npos) return;
    const std::string_view beside = FileBeside(name);
    if (beside.empty()) return;
    PrunedFile& file = files_[std::string(beside)];
    file.file = beside;
    file.size += object.size;
    file.keys.insert(beside == name ? file.keys.begin() : file.keys.end(), object.key);
  }

  // The files that a version needs which stays, whatever their own labels say.
  void ReadRecordOf(const PackageVersion& rocm) {
    const auto text = storage_.Read(ReleaseRecordKey(folder_, rocm));
    if (!text) return;
    const nlohmann::json record = ParseJson(*text);
    if (!record.is_object() || !record.contains("platforms")) return;
    for (const auto& part : record["platforms"]) {
      if (!part.is_object() || !part.contains("files")) continue;
      for (const auto& row : part["files"]) {
        const bool named = row.is_object() && row.contains("file") && row["file"].is_string();
        if (named) recorded_.emplace(row["file"].get<std::string>());
      }
    }
  }

  Fate FateOf(const std::string& file, const PrunedVersion& version) const {
    const auto mark = marks_.find(file);
    const bool stays =
        !version.why.empty() || recorded_.contains(file) || (!version.rocm && mark == marks_.end());
    if (mark == marks_.end()) return stays ? Fate::kStays : Fate::kRetires;
    if (stays) return Fate::kReturns;
    // As text: the form is fixed, see TimeText().
    return mark->second <= cutoff_ ? Fate::kLeaves : Fate::kWaits;
  }

  Storage& storage_;
  std::string_view folder_;
  const PruneRules& rules_;
  std::string cutoff_;
  FileMarks marks_;
  std::map<std::string, PrunedFile> files_;
  std::set<std::string> recorded_;
};

std::vector<std::string> FilesOf(const PrunePlan& plan, Fate fate) {
  std::vector<std::string> files;
  for (const PrunedVersion& version : plan.versions) {
    for (const PrunedFile& file : version.files) {
      if (file.fate == fate) files.push_back(file.file);
    }
  }
  return files;
}

}  // namespace

std::string_view NameOf(Fate fate) {
  switch (fate) {
    case Fate::kStays:
      return "stays";
    case Fate::kReturns:
      return "returns";
    case Fate::kRetires:
      return "retires";
    case Fate::kWaits:
      return "waits";
    case Fate::kLeaves:
      return "leaves";
  }
  return "stays";
}

bool PrunePlan::Changes() const {
  return std::ranges::any_of(versions, [](const PrunedVersion& version) {
    return std::ranges::any_of(version.files,
                               [](const PrunedFile& file) { return file.fate != Fate::kStays; });
  });
}

std::size_t PrunePlan::Count(Fate fate) const { return FilesOf(*this, fate).size(); }

std::uint64_t PrunePlan::Size(Fate fate) const {
  std::uint64_t size = 0;
  for (const PrunedVersion& version : versions) {
    for (const PrunedFile& file : version.files) size += file.fate == fate ? file.size : 0;
  }
  return size;
}

PrunePlan PlanPrune(Storage& storage, std::string_view folder, std::string_view releases,
                    const Plan& plan, const PruneRules& rules,
                    std::chrono::system_clock::time_point now) {
  return Planner(storage, folder, rules, now).Run(releases, plan);
}

IndexResult Prune(Storage& storage, std::string_view folder, const PrunePlan& plan,
                  const IndexOptions& index, std::chrono::system_clock::time_point now) {
  const auto mark = [&](Fate fate, const std::optional<std::string>& text) {
    ChangeMarks(storage, folder, kRetiredFile, FilesOf(plan, fate), text, index.sleep);
  };
  mark(Fate::kRetires, TimeText(now));
  const std::vector<std::string> returned = FilesOf(plan, Fate::kReturns);
  IndexOptions options = index;
  options.only_new.emplace(returned.begin(), returned.end());
  IndexResult result = WriteIndex(storage, folder, options);
  // Behind the pages: after a crash the marks still tell what is to return.
  mark(Fate::kReturns, std::nullopt);
  std::set<std::string_view> listed;
  for (const IndexedFile& file : result.files) listed.insert(file.file);
  const FileMarks retired = ReadMarks(storage, folder, kRetiredFile);
  std::vector<std::string> records, keys, beside;
  for (const PrunedVersion& version : plan.versions) {
    bool leaves = false;
    for (const PrunedFile& file : version.files) {
      if (file.fate != Fate::kLeaves) continue;
      leaves = true;
      if (listed.contains(file.file) || !retired.contains(file.file)) {
        throw StorageError(StorageError::Kind::kConflict,
                           fmt::format("{}{} is to stay after all: somebody changed {} meanwhile; "
                                       "nothing was removed",
                                       storage.NameOf(folder), file.file, kRetiredFile));
      }
      if (file.keys.empty()) continue;
      keys.push_back(file.keys.front());
      beside.insert(beside.end(), std::next(file.keys.begin()), file.keys.end());
    }
    if (leaves && version.rocm) records.push_back(ReleaseRecordKey(folder, *version.rocm));
  }
  // Records first: none names a file that is gone.
  for (const std::vector<std::string>& each : {records, keys, beside}) {
    ParallelFor(each.size(), kRemovers, [&](std::size_t i) { storage.Remove(each[i]); });
  }
  mark(Fate::kLeaves, std::nullopt);
  return result;
}

}  // namespace wheelwright
