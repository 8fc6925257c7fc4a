#include "runtime/wheels/index/index_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <unordered_map>
#include <unordered_set>
#include <utility>

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

using Versions = std::unordered_map<std::string_view, std::string_view>;  // by name of the file

std::string MetadataOf(const ObjectInfo& object, std::string_view name) {
  const auto found = object.metadata.find(std::string(name));
  return found == object.metadata.end() ? std::string() : found->second;
}

// "2025-11-24T10:00:00Z", the form of the specification: installers may reject a page with any
// other.
bool IsUploadTime(std::string_view text) {
  constexpr std::string_view kShape = "dddd-dd-ddTdd:dd:dd";
  if (text.size() < kShape.size() + 1 || text.back() != 'Z') return false;
  const auto digit = [](char c) { return c >= '0' && c <= '9'; };
  for (std::size_t i = 0; i < kShape.size(); ++i) {
    if (kShape[i] == 'd' ? !digit(text[i]) : text[i] != kShape[i]) return false;
  }
  const std::string_view fraction = text.substr(kShape.size(), text.size() - kShape.size() - 1);
  return fraction.empty() || (fraction.size() >= 2 && fraction.size() <= 7 && fraction[0] == '.' &&
                              std::ranges::all_of(fraction.substr(1), digit));
}

bool IsSum(std::string_view text) {
  return text.size() == 64 && text.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

// Whether all texts of a file on an old page have the form that this program writes. Others with
// access to the folder may have written anything, and it would go into new pages.
bool IsPlain(const IndexedFile& file) {
  return (file.sha256.empty() || IsSum(file.sha256)) &&
         (file.metadata_sha256.empty() || IsSum(file.metadata_sha256)) &&
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
    if (IsSum(object->sha256)) file.sha256 = object->sha256;
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

}  // namespace

PutOptions MetadataOptions(std::string_view wheel_sha256) {
  PutOptions put{.content_type = "text/plain; charset=utf-8", .cache_control = "no-cache"};
  if (!wheel_sha256.empty()) put.metadata.emplace(kMetadataOfWheel, wheel_sha256);
  return put;
}

PutOptions ManifestOptions() {
  return {.content_type = "application/json", .cache_control = "no-cache"};
}

FoundFiles FindFiles(Storage& storage, std::string_view prefix,
                     const std::vector<ObjectInfo>& listing, KnownFiles known,
                     const FindOptions& options) {
  FoundFiles found;
  Versions metadata;
  std::unordered_set<std::string_view> manifests, provenances;  // by name of the wheel
  std::vector<const ObjectInfo*> objects;
  for (const ObjectInfo& object : listing) {
    if (!object.key.starts_with(prefix)) continue;
    const std::string_view name = std::string_view(object.key).substr(prefix.size());
    if (name.find('/') != std::string_view::npos) continue;
    if (name.ends_with(kMetadataSuffix)) {
      metadata.emplace(name.substr(0, name.size() - kMetadataSuffix.size()), object.version);
    } else if (name.ends_with(kManifestSuffix)) {
      manifests.insert(name.substr(0, name.size() - kManifestSuffix.size()));
    } else if (name.ends_with(kProvenanceSuffix)) {
      provenances.insert(name.substr(0, name.size() - kProvenanceSuffix.size()));
    } else if (EndsLikeDistribution(name)) {
      objects.push_back(&object);
    }
  }

  // Each thread writes to its own slots.
  struct Slot {
    IndexedFile file;
    bool read = false;
    std::string problem;
    std::set<std::string> needs;
  };
  std::vector<Slot> slots(objects.size());
  const FileReader reader(storage, prefix, options);
  ParallelFor(objects.size(), options.threads, [&](std::size_t i) {
    const ObjectInfo& object = *objects[i];
    Slot& slot = slots[i];
    const std::string_view name = std::string_view(object.key).substr(prefix.size());
    slot.file.file = name;
    std::optional<Distribution> distribution = ReadDistributionName(name);
    if (!distribution) {
      slot.problem = ProblemOfName(name);
      return;
    }
    const auto beside = metadata.find(name);
    const auto before = known.find(name);
    if (before != known.end() && IsPlain(before->second) && before->second.size == object.size &&
        before->second.store_version == object.version &&
        (!distribution->wheel ||
         (beside != metadata.end() && before->second.metadata_store_version == beside->second))) {
      slot.file = std::move(before->second);  // nobody else has a file of that name
    } else {
      slot.read = true;
      slot.problem =
          reader.Read(slot.file, object, distribution->wheel, beside != metadata.end(), slot.needs);
    }
    slot.file.has_manifest = manifests.contains(name);
    slot.file.provenance.clear();
    if (provenances.contains(name)) {
      const std::string key = object.key + std::string(kProvenanceSuffix);
      slot.file.provenance = options.url.empty()
                                 ? storage.UrlOf(key)
                                 : options.url + EncodeQuery(key.substr(prefix.size()));
    }
    slot.file.project = std::move(distribution->project);
    slot.file.version = std::move(distribution->version);
  });

  for (Slot& slot : slots) {
    found.read += slot.read ? 1 : 0;
    if (!slot.problem.empty()) {
      found.left_out.push_back(fmt::format("{}: {}", Quoted(slot.file.file), slot.problem));
    } else if (!slot.file.file.empty()) {
      if (!slot.needs.empty()) found.needs[slot.file.project].merge(slot.needs);
      found.files.push_back(std::move(slot.file));
    }
  }
  std::ranges::sort(found.files, IndexedFile::Before);
  return found;
}

}  // namespace wheelwright
