// Brings the index of a folder in a store up to date with the files that lie there.
//
// In the folder: wheels, their .metadata files, and the pages. `{project}/index.html` and
// `{project}/index.v1.json` list the files of a project, `index.html` and `index.v1.json` the
// projects, `find-links.html` all files. What lies deeper or has another name stands on no page.
//
// The JSON pages are all that is remembered: a file that they know, with the size and the version
// that the store says, is not read again.
//
// Any number of writers may work at once, and files may arrive meanwhile. Each looks at the pages
// before it looks at the files, and puts a page in place only over the one that it saw: so whoever
// writes a page has seen all files that its predecessor saw. Who comes too late looks again.
#pragma once

#include <chrono>
#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/host/environment/retry.h"
#include "runtime/store/storage/storage.h"
#include "runtime/wheels/index/index_page.h"

namespace wheelwright {

struct IndexOptions {
  // Patterns of project names, `*` for any text: what is built here. When there are any, two more
  // indexes of the same files are written: `_own/` with these projects, `_dependencies/` with all
  // others. An installer that takes both from their own places never picks one from the wrong one.
  std::vector<std::string> own;
  bool dry_run = false;
  std::size_t threads = 16;                               // requests at once
  Retry::Sleep sleep = [](std::chrono::milliseconds) {};  // between tries
};

struct IndexResult {
  std::vector<IndexedFile> files;  // in the order of the pages
  std::size_t projects = 0;
  std::size_t read = 0;              // files that the pages did not know yet
  std::size_t yanked = 0;            // files
  std::size_t conflicts = 0;         // how often another writer was faster
  std::vector<std::string> written;  // keys; with `dry_run`, what would be
  // Files that look like packages and are on no page: "x.whl: it has 4 fields".
  std::vector<std::string> left_out;
  // Names of files without a SHA-256: neither whoever wrote them said it, nor can the store.
  std::vector<std::string> without_sum;
};

// `prefix` is empty or ends with a slash. Throws StorageError.
IndexResult WriteIndex(Storage& storage, std::string_view prefix, const IndexOptions& options);

// Files that installers should not pick on their own, with the reason, in `yanked.json` beside the
// pages: PEP 592. People may edit it.
inline constexpr std::string_view kYankedFile = "yanked.json";
using Yanks = std::map<std::string, std::string, std::less<>>;
Yanks ReadYanks(Storage& storage, std::string_view prefix);
// Adds one, or takes it back without a reason. False: nothing had to change. The index is not
// written.
bool ChangeYank(Storage& storage, std::string_view prefix, std::string_view file,
                const std::optional<std::string>& reason);

}  // namespace wheelwright
