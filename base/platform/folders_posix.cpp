#include <filesystem>

#include "base/platform/folders.h"

namespace wheelwright {

namespace fs = std::filesystem;

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
