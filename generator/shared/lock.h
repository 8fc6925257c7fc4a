// templates/shared.lock: which commit the fetched templates are of, and git's id of each file.
//
// A file's id is the one that git gives its content, which is that of the commit's tree: the lock
// says that the files are those of the commit, and git is what computes the ids.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/diagnostic.h"
#include "base/file_system.h"
#include "base/source.h"
#include "generator/shared/sources.h"

namespace wheelwright {

struct LockedFile {
  std::string path;  // below the folder of that name: "fragments/setup.yml"
  std::string id;    // 40 or 64 hexadecimal digits
  bool operator==(const LockedFile&) const = default;
};

// What was fetched for a row of the matrix.
struct LockedTemplates {
  std::string name, git, ref, commit, folder;
  std::vector<std::string> take;
  std::vector<LockedFile> files;  // sorted by path

  bool IsOf(const RemoteTemplates& row) const {
    return git == row.git && ref == row.ref && folder == row.folder && take == row.take;
  }
};

using Lock = std::vector<LockedTemplates>;  // sorted by name

// Reads the lock of a project; empty where there is none. Nothing after a report (bad-shared-lock):
// only `wheelwright fetch` writes it. Throws FileError.
std::optional<Lock> ReadLock(FileSystem& files, const std::string& root, SourceManager& sources,
                             Diagnostics& diagnostics);

const LockedTemplates* FindLocked(const Lock& lock, std::string_view name);

// The text of the file. The same lock gives the same bytes.
std::string WriteLock(const Lock& lock);
std::string LockPath(const std::string& root);

// A path with / between its parts that leads out of no folder, on no system.
bool StaysBelow(std::string_view path);

// A link in the folder of fetched templates of that name, or the folder itself where it is one; ""
// if there is none. Through it, files of another place would be written and removed.
std::string LinkBelow(const std::string& root, std::string_view name);

// The .yml and .yaml files of a folder and those in it, as paths below it, sorted.
std::vector<std::string> FilesBelow(FileSystem& files, const std::string& folder);

// How the fetched files differ from the lock, a line for each; empty if they do not. `problem`: why
// that cannot be told.
std::vector<std::string> DifferencesFrom(const LockedTemplates& locked, FileSystem& files,
                                         const std::string& root, std::string& problem);

// Reports rows that were not fetched as they are now (not-fetched), and files that differ from the
// lock (changed-shared-templates). Offline; git computes the ids, unless no row has a repository.
void CheckLock(FileSystem& files, const std::string& root, std::span<const RemoteTemplates> rows,
               SourceManager& sources, Diagnostics& diagnostics);

}  // namespace wheelwright
