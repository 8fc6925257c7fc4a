// The files of an upload: which they are, and putting them into a store.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/host/environment/host.h"
#include "runtime/store/storage/storage.h"

namespace wheelwright {

struct UploadFile {
  std::string path;
  std::string name;  // for people
  std::string key;
  std::uint64_t size = 0;
  std::string metadata;       // of a wheel, its METADATA; "": none is written beside it
  std::string manifest = {};  // of a wheel, what it was built from; "": none is written beside it
  // In the folder of a run, where whoever took the file once has to find it again.
  bool of_run = false;
  // What came of it.
  std::string sha256 = {};
  bool was_there = false;
};

// Regular files in a folder, sorted by name; `deep` also those in folders below, with `/`. Folders
// whose names begin with a dot are passed over. Throws StorageError for a link that leads out of
// `root` ("": the folder): what a build wrote may point at any file of the machine.
std::vector<UploadFile> FilesBelow(const std::string& folder, bool deep,
                                   const std::string& root = {});

std::uint64_t SizeOf(const std::vector<UploadFile>& files);

// Files of a run in whose place the store has others already, each in a line for people. Those of
// an earlier attempt at the run (GITHUB_RUN_ATTEMPT) do not count: whoever runs a job again wants
// its results.
std::vector<std::string> ReplacedFiles(Storage& storage, std::string_view prefix,
                                       std::vector<UploadFile>& files, const Host& host);

// Puts all of them into the store, the largest first, each with its SHA-256 and, if it has them,
// its metadata and its manifest beside it, and verifies each. What is there already and right is
// not sent again. Throws StorageError, with kConflict when another job was faster to put a file of
// the run there; then nothing may be announced, and a repetition goes on from there.
void UploadAll(Storage& storage, std::string_view prefix, std::vector<UploadFile>& files,
               Host& host);

}  // namespace wheelwright
