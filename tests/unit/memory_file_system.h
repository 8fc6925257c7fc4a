// An in-memory file system that logs operations and can inject failures.
#pragma once

#include <algorithm>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "base/file_system.h"

namespace wheelwright {

class MemoryFileSystem : public FileSystem {
 public:
  std::map<std::string, std::string> files;  // by path
  std::set<std::string> refused;             // paths that cannot be read, written or removed
  std::vector<std::string> log;              // "read a/b", "write a/b", "remove a/b", "list a"

  std::optional<std::string> Read(const std::string& path) override {
    const std::lock_guard lock(mutex_);
    Note("read", path);
    const auto found = files.find(path);
    return found == files.end() ? std::nullopt : std::optional(found->second);
  }

  std::vector<std::string> List(const std::string& folder) override {
    const std::lock_guard lock(mutex_);
    Note("list", folder);
    return Names(folder, false);
  }

  std::vector<std::string> ListFolders(const std::string& folder) override {
    const std::lock_guard lock(mutex_);
    return Names(folder, true);
  }

  void Write(const std::string& path, std::string_view text) override {
    const std::lock_guard lock(mutex_);
    Note("write", path);
    files[path] = text;
  }

  void Append(const std::string& path, std::string_view text) override {
    const std::lock_guard lock(mutex_);
    Note("write", path);
    files[path] += text;
  }

  void Remove(const std::string& path) override {
    const std::lock_guard lock(mutex_);
    Note("remove", path);
    files.erase(path);
  }

  // The logged writes and removals.
  std::vector<std::string> Changes() const {
    std::vector<std::string> changes;
    std::copy_if(log.begin(), log.end(), std::back_inserter(changes), [](const std::string& entry) {
      return entry.starts_with("write ") || entry.starts_with("remove ");
    });
    return changes;
  }

 private:
  void Note(const std::string& action, const std::string& path) {
    log.push_back(action + " " + path);
    if (refused.count(path) > 0) throw FileError("cannot " + action + " " + path + ": refused");
  }

  std::vector<std::string> Names(const std::string& folder, bool folders) const {
    std::set<std::string> names;
    const std::string prefix = folder.empty() ? "" : folder + "/";
    for (const auto& [path, text] : files) {
      if (!path.starts_with(prefix)) continue;
      const std::string rest = path.substr(prefix.size());
      const std::size_t slash = rest.find('/');
      if ((slash != std::string::npos) == folders) names.insert(rest.substr(0, slash));
    }
    return {names.begin(), names.end()};
  }

  std::mutex mutex_;
};

}  // namespace wheelwright
