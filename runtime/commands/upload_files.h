// The files of an upload: which they are, and putting them into a store.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/host/host.h"
#include "runtime/storage/storage.h"

namespace wheelwright {

struct UploadFile {
  std::string path;
  std::string name;  // for people
  std::string key;
  std::uint64_t size = 0;
  std::string metadata;  // of a wheel, its METADATA; "": none is written beside it
  // What came of it.
  std::string sha256 = {};
  bool was_there = false;
};

// Regular files in a folder, sorted by name; `deep` also those in folders below, with `/`. Folders
// whose names begin with a dot are passed over.
std::vector<UploadFile> FilesBelow(const std::string& folder, bool deep);

// The SHA-256 of a file in hexadecimal; "" when it cannot be read.
std::string FileSum(const std::string& path);

std::uint64_t SizeOf(const std::vector<UploadFile>& files);

// Puts all of them into the store, the largest first, each with its SHA-256 and, if it has one, its
// metadata beside it, and verifies each. What is there already and right is not sent again. Throws
// StorageError; then nothing may be announced, and a repetition goes on from there.
void UploadAll(Storage& storage, std::string_view prefix, std::vector<UploadFile>& files,
               Host& host);

}  // namespace wheelwright
