#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <iterator>
#include <memory>
#include <utility>

#include "base/parallel.h"
#include "base/platform/file_facts_posix.h"
#include "base/platform/folders.h"

namespace wheelwright {
namespace {

using OpenFolder = std::unique_ptr<DIR, int (*)(DIR*)>;

std::error_code LastError() { return {errno, std::generic_category()}; }

// By calls relative to the open folder: resolving a whole path takes longer than looking at a file.
class FileSearch {
 public:
  FileSearch(const std::function<bool(std::string_view path)>& wants, std::error_code& error)
      : wants_(wants), error_(error) {}

  // `prefix` is the path of the folder, empty or with a slash at its end.
  void Look(int above, const char* name, const std::string& prefix) {
    const int handle = openat(above, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    const OpenFolder folder(handle < 0 ? nullptr : fdopendir(handle), closedir);
    if (!folder) {
      const bool removed = errno == ENOENT && !prefix.empty();
      if (!removed) error_ = LastError();
      if (handle >= 0) close(handle);
      return;
    }
    std::vector<std::string> folders;
    std::vector<FileBelow> found;
    for (errno = 0; const dirent* entry = readdir(folder.get()); errno = 0) {
      const std::string_view inner = entry->d_name;
      if (inner == "." || inner == "..") continue;
      std::string path = prefix + std::string(inner);
      if (!wants_(path)) continue;
      if (entry->d_type == DT_DIR ||
          (entry->d_type == DT_UNKNOWN && IsFolderIn(handle, entry->d_name))) {
        folders.emplace_back(inner);
      } else {
        found.push_back({std::move(path), {}});
      }
    }
    if (errno != 0) error_ = LastError();
    // Most of the time passes here, in the system, which looks up files in parallel.
    ParallelForBlocks(found.size(), kThreads, [&](std::size_t i) {
      struct stat facts{};
      const char* inner = found[i].path.c_str() + prefix.size();
      if (fstatat(handle, inner, &facts, 0) == 0 && S_ISREG(facts.st_mode)) {
        found[i].facts = FactsOf(facts);
      } else {
        found[i].path.clear();
      }
    });
    std::erase_if(found, [](const FileBelow& file) { return file.path.empty(); });
    if (files.empty()) {
      files = std::move(found);
    } else {
      std::ranges::move(found, std::back_inserter(files));
    }
    for (const std::string& inner : folders) {
      if (error_) return;
      Look(handle, inner.c_str(), prefix + inner + "/");
    }
  }

  std::vector<FileBelow> files;

 private:
  static constexpr std::size_t kThreads = 16;

  static bool IsFolderIn(int folder, const char* name) {
    struct stat facts{};
    return fstatat(folder, name, &facts, AT_SYMLINK_NOFOLLOW) == 0 && S_ISDIR(facts.st_mode);
  }

  const std::function<bool(std::string_view path)>& wants_;
  std::error_code& error_;
};

}  // namespace

namespace fs = std::filesystem;

std::vector<FileBelow> FilesBelow(const std::string& folder,
                                  const std::function<bool(std::string_view path)>& wants,
                                  std::error_code& error) {
  error.clear();
  FileSearch search(wants, error);
  search.Look(AT_FDCWD, folder.c_str(), "");
  return std::move(search.files);
}

bool Exists(const std::string& path) {
  std::error_code error;
  return fs::exists(fs::symlink_status(path, error));
}

bool IsFile(const std::string& path) {
  std::error_code error;
  return fs::is_regular_file(path, error);
}

bool IsFolder(const std::string& path) {
  std::error_code error;
  return fs::is_directory(path, error);
}

std::vector<FolderEntry> EntriesOf(const std::string& folder, std::error_code& error) {
  std::vector<FolderEntry> entries;
  error.clear();
  for (fs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error)) {
    std::error_code ignored;  // of links to themselves
    entries.push_back({.name = it->path().filename().string(),
                       .path = it->path().string(),
                       .is_file = it->is_regular_file(ignored),
                       .is_folder = it->is_directory(ignored),
                       .is_link = it->is_symlink(ignored)});
  }
  return entries;
}

void MakeFolders(const std::string& path, std::error_code& error) {
  fs::create_directories(path, error);
}

void RemoveFile(const std::string& path, std::error_code& error) { fs::remove(path, error); }

void CopyOver(const std::string& from, const std::string& to, std::error_code& error) {
  fs::copy_file(from, to, fs::copy_options::overwrite_existing, error);
}

std::string RealPath(const std::string& path, std::error_code& error) {
  return fs::canonical(path, error).string();
}

}  // namespace wheelwright
