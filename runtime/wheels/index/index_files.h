// The files of an index: which lie in the folder, and what has to be known of each.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/store/storage/storage.h"
#include "runtime/wheels/index/index_page.h"

namespace wheelwright {

// By name of the file.
using KnownFiles = std::map<std::string, IndexedFile, std::less<>>;

struct FoundFiles {
  std::vector<IndexedFile> files;     // in the order of the pages; nothing is yanked yet
  std::size_t read = 0;               // files that were not known
  std::vector<std::string> left_out;  // "x.whl: it has 4 fields"
};

struct FindOptions {
  std::size_t threads = 16;
  // Where the metadata of a wheel does not lie beside it, it is put there.
  bool write_metadata = true;
};

// What lies directly in the folder `prefix` as `listing` says. Files that are known and have not
// changed are taken from `known`, all others are looked at. Throws StorageError, with kConflict
// when another writer puts the same metadata in place.
FoundFiles FindFiles(Storage& storage, std::string_view prefix,
                     const std::vector<ObjectInfo>& listing, KnownFiles known,
                     const FindOptions& options);

// Says on the file of metadata which wheel it was taken from: the wheel's SHA-256.
inline constexpr std::string_view kMetadataOfWheel = "wheel-sha256";
// On a wheel: when it was uploaded, "2025-11-24T10:00:00Z".
inline constexpr std::string_view kUploadTime = "upload-time";

// How the metadata of a wheel is put in place, and its manifest.
PutOptions MetadataOptions(std::string_view wheel_sha256);
PutOptions ManifestOptions();

}  // namespace wheelwright
