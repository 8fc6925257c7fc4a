// Updates the index of a folder in a store.
//
// The folder has wheels, their .metadata files and the pages: `{project}/index.html` and
// `{project}/index.v1.json` with the files of a project, `index.html` and `index.v1.json` with the
// projects, `find-links.html` with all files. Files in deeper folders or with other names are on no
// page.
//
// Pages are written in the order of what new files require, so that a reader finds the requirements
// of each file that it finds.
//
// `yanked.json` beside the pages says which files are yanked, `retired.json` which are on no page
// any more (file_marks.h).
//
// The JSON pages are the cache: files with the same size and version as there are not read again.
//
// Several writers may run at once while files arrive. Each reads the pages before it lists the
// files, and replaces a page only on the condition that it is still the one it read. So the writer
// of a page has seen all files that the previous writer saw; a writer whose condition fails starts
// again.
#pragma once

#include <chrono>
#include <cstddef>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/host/environment/retry.h"
#include "runtime/store/storage/storage.h"
#include "runtime/wheels/index/index_page.h"

namespace wheelwright {

struct IndexOptions {
  // Patterns of the names of own projects, `*` for any text. If there are any, two more indexes of
  // the same files are written: `_own/` with these projects and `_dependencies/` with all others,
  // so that an installer can take each project from the right one only.
  std::vector<std::string> own;
  // The URL of the folder, with a slash at its end: provenance needs whole addresses. "": that of
  // the store.
  std::string url;
  // If set, the pages take no new files but these, retired ones too: what lies beside them may be
  // half of a publication that goes on meanwhile.
  std::optional<std::set<std::string, std::less<>>> only_new;
  bool dry_run = false;
  std::size_t threads = 16;                               // requests at once
  Retry::Sleep sleep = [](std::chrono::milliseconds) {};  // between tries
};

struct IndexResult {
  std::vector<IndexedFile> files;  // in the order of the pages
  std::size_t projects = 0;
  std::size_t read = 0;              // files that were on no page yet
  std::size_t yanked = 0;            // files
  std::size_t conflicts = 0;         // restarts because of other writers
  std::vector<std::string> written;  // keys; with `dry_run`, those to write
  // Files that look like packages and are on no page: "x.whl: it has 4 fields".
  std::vector<std::string> left_out;
  // Names of files whose SHA-256 is not stored.
  std::vector<std::string> without_sum;
};

// `prefix` is empty or ends with a slash. Throws StorageError.
IndexResult WriteIndex(Storage& storage, std::string_view prefix, const IndexOptions& options);

// Waits between tries while other writers are faster.
inline constexpr RetryPolicy kConflictRetries{.tries = 50,
                                              .first = std::chrono::milliseconds(50),
                                              .longest = std::chrono::milliseconds(3200)};

}  // namespace wheelwright
