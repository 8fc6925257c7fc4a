// The files of an index, and their facts.
#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "runtime/store/storage/storage.h"
#include "runtime/wheels/index/index_page.h"

namespace wheelwright {

// The files on pages, by name.
class KnownFiles {
 public:
  KnownFiles() = default;
  KnownFiles(const KnownFiles&) = delete;
  KnownFiles& operator=(const KnownFiles&) = delete;
  KnownFiles(KnownFiles&&) = default;
  KnownFiles& operator=(KnownFiles&&) = default;
  ~KnownFiles() = default;

  // Adds a project's page in JSON, whose text has to outlive this. Of a file that is on several
  // pages, any counts.
  void AddPage(std::string_view json);

  bool Has(std::string_view file) const { return files_.contains(file); }
  // What its page says of a file. False if it is on none, or that is not understood; `file` is
  // undefined then.
  bool Read(std::string_view name, IndexedFile& file) const;

 private:
  std::unordered_map<std::string_view, std::string_view> files_;  // lines of pages
  // Of pages that do not have such lines.
  std::map<std::string, IndexedFile, std::less<>> others_;
};

struct FoundFiles {
  std::vector<IndexedFile> files;     // in the order of the pages; `yanked` is not set
  std::size_t read = 0;               // number of files that were not in `known`
  std::vector<std::string> left_out;  // "x.whl: it has 4 fields"
  // By project, which projects its files that were read require, for any Python and extra.
  std::map<std::string, std::set<std::string>> needs;
};

struct FindOptions {
  std::size_t threads = 16;
  // Write the metadata file of a wheel if it is missing.
  bool write_metadata = true;
  std::string url;  // as IndexOptions::url
};

// The files of `listing`, which is sorted, directly in the folder `prefix`. Takes unchanged files
// from `known` and reads the others. Throws StorageError; kConflict when another writer writes the
// same metadata.
FoundFiles FindFiles(Storage& storage, std::string_view prefix,
                     const std::vector<ObjectInfo>& listing, const KnownFiles& known,
                     const FindOptions& options);

// Metadata key of a metadata file: the SHA-256 of its wheel.
inline constexpr std::string_view kMetadataOfWheel = "wheel-sha256";
// Metadata key of a wheel: the time of its upload, "2025-11-24T10:00:00Z".
inline constexpr std::string_view kUploadTime = "upload-time";

// The options for writing a metadata file and a manifest.
PutOptions MetadataOptions(std::string_view wheel_sha256);
PutOptions ManifestOptions();

}  // namespace wheelwright
