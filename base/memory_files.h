// Files that are in memory alone.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/file_system.h"

namespace wheelwright {

class MemoryFiles : public FileSystem {
 public:
  std::map<std::string, std::string> texts;  // by path

  std::optional<std::string> Read(const std::string& path) override {
    const auto found = texts.find(path);
    return found == texts.end() ? std::nullopt : std::optional(found->second);
  }
  std::vector<std::string> List(const std::string& folder) override {
    std::vector<std::string> names;
    for (const auto& [path, text] : texts) {
      if (path.size() <= folder.size() + 1 || !path.starts_with(folder)) continue;
      const std::string name = path.substr(folder.size() + 1);
      if (path[folder.size()] == '/' && name.find('/') == std::string::npos) names.push_back(name);
    }
    return names;
  }
  std::vector<std::string> ListFolders(const std::string& /*folder*/) override { return {}; }
  void Write(const std::string& path, std::string_view text) override { texts[path] = text; }
  void Append(const std::string& path, std::string_view text) override { texts[path] += text; }
  void Remove(const std::string& path) override { texts.erase(path); }
};

}  // namespace wheelwright
