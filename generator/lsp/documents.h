// Open documents of an editor: their texts in place of the files, and positions in them.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/file_system.h"
#include "base/source.h"

namespace wheelwright {

// The files with the texts of open documents in place of some. Writes nothing.
class OpenFiles : public FileSystem {
 public:
  explicit OpenFiles(FileSystem& files) : files_(files) {}

  void Open(const std::string& path, std::string text) { open_[path] = std::move(text); }
  void Close(const std::string& path) { open_.erase(path); }

  std::optional<std::string> Read(const std::string& path) override;
  std::vector<std::string> List(const std::string& folder) override { return files_.List(folder); }
  std::vector<std::string> ListFolders(const std::string& folder) override {
    return files_.ListFolders(folder);
  }
  void Write(const std::string& path, std::string_view text) override;
  void Append(const std::string& path, std::string_view text) override;
  void Remove(const std::string& path) override;

 private:
  FileSystem& files_;
  std::map<std::string, std::string, std::less<>> open_;
};

// "/a/b c.yml" of "file:///a/b%20c.yml", and the reverse. Empty if it is no file.
std::string PathOfUri(std::string_view uri);
std::string UriOfPath(std::string_view path);

// A position as editors count: lines and UTF-16 units from 0.
struct EditorPosition {
  std::size_t line = 0;
  std::size_t character = 0;
};
EditorPosition PositionIn(std::string_view text, std::size_t offset);
// The offset in bytes; at most the end of the line.
std::size_t OffsetIn(std::string_view text, EditorPosition position);

// The folder above the path that holds matrix/ and templates/, or nothing.
std::optional<std::string> ProjectAbove(FileSystem& files, const std::string& path);

}  // namespace wheelwright
