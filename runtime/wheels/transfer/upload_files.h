// Finds and uploads files.
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
  std::string metadata;       // METADATA of a wheel, to write beside it; "": none
  std::string manifest = {};  // manifest of a wheel, to write beside it; "": none
  // In the folder of a run: replaces no object but the one in `replaces`, unless `replace` is set.
  bool of_run = false;
  bool replace = false;
  std::string replaces = {};  // version of an object, set by ReplacedFiles()
  // Set by the upload.
  std::string sha256 = {};
  bool was_there = false;
};

// The regular files in a folder, sorted by name; with `deep` also in its subfolders. Skips folders
// whose names begin with a dot. Throws StorageError for links that lead out of `root` ("": the
// folder), because a build may have made a link to any file.
std::vector<UploadFile> FilesBelow(const std::string& folder, bool deep,
                                   const std::string& root = {});

std::uint64_t SizeOf(const std::vector<UploadFile>& files);

// Describes the files of a run for which the store has different objects, a line each. Objects of
// an earlier attempt (GITHUB_RUN_ATTEMPT) do not count: a rerun may replace them. Notes in the
// files which objects they may replace.
std::vector<std::string> ReplacedFiles(Storage& storage, std::string_view prefix,
                                       std::vector<UploadFile>& files, const Host& host);

// Uploads and verifies all files, the largest first, with their metadata and manifests. Skips files
// that the store already has. Throws StorageError; kConflict when another job has written a file of
// the run since ReplacedFiles(). A repetition resumes.
void UploadAll(Storage& storage, std::string_view prefix, std::vector<UploadFile>& files,
               Host& host);

}  // namespace wheelwright
