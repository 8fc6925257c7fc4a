#include "runtime/wheels/index/index_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "base/characters.h"
#include "base/parallel.h"
#include "base/quote.h"
#include "base/text.h"
#include "runtime/store/storage/keys.h"
#include "runtime/wheels/index/distribution.h"
#include "runtime/wheels/index/stored_wheel.h"
#include "runtime/wheels/wheel/dist_info.h"
#include "runtime/wheels/wheel/wheel_name.h"

namespace wheelwright {
namespace {

std::string MetadataOf(const ObjectInfo& object, std::string_view name) {
  const auto found = object.metadata.find(std::string(name));
  return found == object.metadata.end() ? std::string() : found->second;
}

// "2025-11-24T10:00:00Z", the form of the specification: installers may reject a page with any
// other.
bool IsUploadTime(std::string_view text) {
  constexpr std::string_view kShape = "dddd-dd-ddTdd:dd:dd";
  if (text.size() < kShape.size() + 1 || text.back() != 'Z') return false;
  for (std::size_t i = 0; i < kShape.size(); ++i) {
    if (kShape[i] == 'd' ? !IsDigit(text[i]) : text[i] != kShape[i]) return false;
  }
  const std::string_view fraction = text.substr(kShape.size(), text.size() - kShape.size() - 1);
  return fraction.empty() || (fraction.size() >= 2 && fraction.size() <= 7 && fraction[0] == '.' &&
                              std::ranges::all_of(fraction.substr(1), IsDigit));
}

// Whether all texts of a file on an old page have the form that this program writes. Others with
// access to the folder may have written anything, and it would go into new pages.
bool IsPlain(const IndexedFile& file) {
  return (file.sha256.empty() || IsSha256(file.sha256)) &&
         (file.metadata_sha256.empty() || IsSha256(file.metadata_sha256)) &&
         (file.upload_time.empty() || IsUploadTime(file.upload_time)) &&
         file.requires_python == OnOneLine(file.requires_python);
}

// Reads the facts of files that are on no page yet.
class FileReader {
 public:
  FileReader(Storage& storage, std::string_view prefix, const FindOptions& options)
      : storage_(storage), prefix_(prefix), options_(options) {}

  // Sets the facts of a file from store and wheel. Returns why the file is left out, or "". Clears
  // the name of a file that was removed meanwhile.
  std::string Read(IndexedFile& file, const ObjectInfo& listed, bool wheel, bool has_metadata,
                   std::set<std::string>& needs) const {
    const std::string& key = listed.key;
    const std::optional<ObjectInfo> object = storage_.Head(key);
    if (!object) {
      file.file.clear();
      return {};
    }
    if (object->version == listed.version && object->size != listed.size) {
      throw StorageError(StorageError::Kind::kDamaged,
                         fmt::format("{} has {} bytes, and is listed with {}", storage_.NameOf(key),
                                     object->size, listed.size));
    }
    file.size = object->size;
    file.store_version = object->version;
    if (IsSha256(object->sha256)) file.sha256 = object->sha256;
    if (const std::string time = MetadataOf(*object, kUploadTime); IsUploadTime(time)) {
      file.upload_time = time;
    }
    return wheel ? ReadMetadata(file, key, has_metadata, needs) : std::string();
  }

 private:
  std::string ReadMetadata(IndexedFile& file, const std::string& key, bool has_metadata,
                           std::set<std::string>& needs) const {
    const std::string metadata_key = key + std::string(kMetadataSuffix);
    std::optional<ObjectInfo> beside;
    if (has_metadata) beside = storage_.Head(metadata_key);
    if (beside && TakeMetadata(file, *beside, needs)) return {};

    const StoredSource source(storage_, key, file.size);
    const WheelMetadata metadata = ReadStoredMetadata(source, file.file);
    if (!metadata.problem.empty()) return metadata.problem;
    file.requires_python = metadata.requires_python;
    needs = RequiredProjects(metadata.text);
    file.metadata_sha256 = Sha256Of(metadata.text);
    if (!options_.write_metadata) return {};
    PutOptions put = MetadataOptions(file.sha256);
    if (beside) {
      put.if_version = beside->version;
    } else {
      put.if_absent = true;
    }
    file.metadata_store_version = storage_.Write(metadata_key, metadata.text, put).version;
    return {};
  }

  // Takes the metadata file if it belongs to this wheel; else false.
  bool TakeMetadata(IndexedFile& file, const ObjectInfo& beside,
                    std::set<std::string>& needs) const {
    const std::string of_wheel = MetadataOf(beside, kMetadataOfWheel);
    // Both sums are needed: another tool may have replaced the wheel or the metadata file.
    if (of_wheel.empty() || of_wheel != file.sha256) return false;
    std::optional<std::string> text = storage_.Read(beside.key);
    if (!text) return false;
    const std::string sum = Sha256Of(*text);
    const WheelMetadata metadata = ReadMetadataText(*std::move(text), file.file);
    if (!metadata.problem.empty()) return false;
    file.requires_python = metadata.requires_python;
    needs = RequiredProjects(metadata.text);
    file.metadata_sha256 = sum;
    file.metadata_store_version = beside.version;
    return true;
  }

  Storage& storage_;
  std::string prefix_;
  const FindOptions& options_;
};

std::string ProblemOfName(std::string_view file) {
  if (!file.ends_with(".whl")) return "its name does not end in a version";
  return ReadWheelName(file).problem;
}

// A listed file with the name of a distribution, and what lies beside it.
struct Listed {
  const ObjectInfo* object = nullptr;
  std::string_view name;
  const ObjectInfo* metadata = nullptr;  // null: there is none
  bool manifest = false;
  bool provenance = false;
  std::optional<Distribution> distribution;
};

// The distributions directly in the folder, in the order of the listing.
std::vector<Listed> DistributionsIn(const std::vector<ObjectInfo>& listing,
                                    std::string_view prefix) {
  std::vector<Listed> files;
  files.reserve(listing.size());
  // Each is the beginning of the next. What lies beside a file comes behind it in a sorted listing.
  std::vector<Listed*> open;
  for (const ObjectInfo& object : listing) {
    if (!object.key.starts_with(prefix)) continue;
    const std::string_view name = std::string_view(object.key).substr(prefix.size());
    if (name.find('/') != std::string_view::npos) continue;
    while (!open.empty() && !name.starts_with(open.back()->name)) open.pop_back();
    if (EndsLikeDistribution(name)) {
      files.push_back({.object = &object, .name = name});
      open.push_back(&files.back());
    } else if (!open.empty()) {
      Listed& file = *open.back();
      const std::string_view suffix = name.substr(file.name.size());
      if (suffix == kMetadataSuffix) file.metadata = &object;
      file.manifest |= suffix == kManifestSuffix;
      file.provenance |= suffix == kProvenanceSuffix;
    }
  }
  return files;
}

// Takes the facts from the name of a file and from its page. False if it is on none, or has changed
// since.
bool Take(Listed& listed, const KnownFiles& known, IndexedFile& file) {
  const bool wheel = listed.distribution->wheel;
  const bool unchanged =
      known.Read(listed.name, file) && IsPlain(file) && file.size == listed.object->size &&
      file.store_version == listed.object->version &&
      (!wheel ||
       (listed.metadata != nullptr && file.metadata_store_version == listed.metadata->version));
  if (!unchanged) file = {};
  file.file = listed.name;
  file.project = std::move(listed.distribution->project);
  file.version = std::move(listed.distribution->version);
  file.has_manifest = listed.manifest;
  return unchanged;
}

// The files in the order of the pages.
std::vector<Listed*> InOrder(std::vector<Listed>& files, std::size_t threads) {
  struct Group {
    std::vector<Listed*> files;  // of one project
    std::size_t start = 0;       // in the result
  };
  std::map<std::string, Group> projects;
  Group* last = nullptr;  // the next file is mostly of the same project
  for (Listed& file : files) {
    if (!file.distribution) continue;
    const std::string& project = file.distribution->project;
    if (last == nullptr || last->files.front()->distribution->project != project) {
      last = &projects[project];
    }
    last->files.push_back(&file);
  }
  std::vector<Group*> groups;
  std::size_t count = 0;
  for (auto& [project, group] : projects) {
    group.start = count;
    count += group.files.size();
    groups.push_back(&group);
  }
  std::vector<Listed*> sorted(count);
  ParallelFor(groups.size(), Cores(threads), [&](std::size_t i) {
    std::ranges::sort(groups[i]->files, [](const Listed* a, const Listed* b) {
      const auto order = a->distribution->version <=> b->distribution->version;
      return order != 0 ? order < 0 : a->name < b->name;
    });
    std::ranges::copy(groups[i]->files,
                      sorted.begin() + static_cast<std::ptrdiff_t>(groups[i]->start));
  });
  return sorted;
}

}  // namespace

PutOptions MetadataOptions(std::string_view wheel_sha256) {
  PutOptions put{.content_type = "text/plain; charset=utf-8", .cache_control = "no-cache"};
  if (!wheel_sha256.empty()) put.metadata.emplace(kMetadataOfWheel, wheel_sha256);
  return put;
}

PutOptions ManifestOptions() {
  return {.content_type = "application/json", .cache_control = "no-cache"};
}

void KnownFiles::AddPage(std::string_view json) {
  if (const std::optional<std::vector<FileLine>> lines = FileLinesOf(json)) {
    for (const FileLine& line : *lines) files_.emplace(line.file, line.json);
    return;
  }
  for (IndexedFile& file : ReadProjectPage(json)) {
    std::string name = file.file;
    const auto place = others_.insert_or_assign(std::move(name), std::move(file)).first;
    files_.emplace(place->first, std::string_view());
  }
}

bool KnownFiles::Read(std::string_view name, IndexedFile& file) const {
  const auto found = files_.find(name);
  if (found == files_.end()) return false;
  if (!found->second.empty()) return ReadFileLine(found->second, file);
  file = others_.find(name)->second;
  return true;
}

FoundFiles FindFiles(Storage& storage, std::string_view prefix,
                     const std::vector<ObjectInfo>& listing, const KnownFiles& known,
                     const FindOptions& options) {
  FoundFiles found;
  std::vector<Listed> listed = DistributionsIn(listing, prefix);
  ParallelForBlocks(listed.size(), options.threads, [&](std::size_t i) {
    listed[i].distribution = ReadDistributionName(listed[i].name);
  });
  for (const Listed& one : listed) {
    if (one.distribution) continue;
    found.left_out.push_back(fmt::format("{}: {}", Quoted(one.name), ProblemOfName(one.name)));
  }
  const std::vector<Listed*> sorted = InOrder(listed, options.threads);
  found.files.resize(sorted.size());
  // Each thread writes to its own slots.
  std::vector<char> taken(sorted.size());
  ParallelForBlocks(sorted.size(), options.threads, [&](std::size_t i) {
    taken[i] = Take(*sorted[i], known, found.files[i]) ? 1 : 0;
    if (!sorted[i]->provenance) return;
    const std::string key = sorted[i]->object->key + std::string(kProvenanceSuffix);
    found.files[i].provenance = options.url.empty()
                                    ? storage.UrlOf(key)
                                    : options.url + EncodeQuery(key.substr(prefix.size()));
  });

  std::vector<std::size_t> changed;
  for (std::size_t i = 0; i < taken.size(); ++i) {
    if (taken[i] == 0) changed.push_back(i);
  }
  found.read = changed.size();
  struct Slot {
    std::string problem;
    std::set<std::string> needs;
  };
  std::vector<Slot> slots(changed.size());
  const FileReader reader(storage, prefix, options);
  ParallelFor(changed.size(), options.threads, [&](std::size_t i) {
    const Listed& one = *sorted[changed[i]];
    slots[i].problem = reader.Read(found.files[changed[i]], *one.object, one.distribution->wheel,
                                   one.metadata != nullptr, slots[i].needs);
  });
  for (std::size_t i = 0; i < changed.size(); ++i) {
    IndexedFile& file = found.files[changed[i]];
    if (!slots[i].problem.empty()) {
      found.left_out.push_back(fmt::format("{}: {}", Quoted(file.file), slots[i].problem));
      file.file.clear();
    } else if (!file.file.empty() && !slots[i].needs.empty()) {
      found.needs[file.project].merge(slots[i].needs);
    }
  }
  std::erase_if(found.files, [](const IndexedFile& file) { return file.file.empty(); });
  std::ranges::sort(found.left_out);
  return found;
}

}  // namespace wheelwright
