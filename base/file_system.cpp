#include "base/file_system.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <random>
#include <system_error>

#include "base/characters.h"
#include "base/platform/file_handle.h"
#include "base/platform/files.h"
#include "base/platform/folders.h"

namespace wheelwright {
namespace {

namespace fs = std::filesystem;

std::string Reason(int error) { return std::generic_category().message(error); }

class Disk : public FileSystem {
 public:
  std::optional<std::string> Read(const std::string& path) override {
    std::error_code error;
    if (IsFolder(path)) {
      throw FileError(fmt::format("cannot read {}: it is a folder", path));
    }
    const StreamFile file = OpenToRead(path, error);
    if (!file) {
      if (error == std::errc::no_such_file_or_directory || error == std::errc::not_a_directory) {
        return std::nullopt;
      }
      throw FileError(fmt::format("cannot read {}: {}", path, error.message()));
    }
    std::string text;
    if (const auto facts = LookAtFile(path)) text.reserve(facts->size);
    char buffer[1 << 16];
    while (const std::size_t got = std::fread(buffer, 1, sizeof buffer, file.get())) {
      text.append(buffer, got);
    }
    if (std::ferror(file.get())) {
      throw FileError(fmt::format("cannot read {}: {}", path, Reason(errno)));
    }
    if (text.empty() && fs::is_fifo(SystemPath(path), error)) {
      throw FileError(fmt::format("cannot read {}: it is a pipe that nobody writes to", path));
    }
    return text;
  }

  std::vector<std::string> List(const std::string& folder) override {
    return Names(folder, [](const FolderEntry& entry) { return entry.is_file; });
  }

  std::vector<std::string> ListFolders(const std::string& folder) override {
    return Names(folder, [&](const FolderEntry& entry) {
      return entry.is_folder && !(entry.is_link && LeadsBack(entry.path, folder));
    });
  }

  void Write(const std::string& path, std::string_view text) override {
    std::error_code error;
    if (const std::string folder = ParentFolder(path); !folder.empty()) MakeFolders(folder, error);
    if (error) {
      throw FileError(fmt::format("cannot make the folder of {}: {}", path, error.message()));
    }
    // Beside the target, so that the rename stays on one file system.
    const std::string temporary =
        fmt::format("{}.{:08x}.tmp", path, static_cast<std::uint32_t>(std::random_device{}()));
    try {
      const StreamFile lock = WriteTemporary(temporary, text);
      PutInPlace(temporary, path, error);
      if (error)
        throw FileError(fmt::format("cannot replace {}: {}", path, ReasonFor(error, path)));
    } catch (const FileError&) {
      RemoveFile(temporary, error);
      throw;
    }
  }

  void RemoveLeftovers(const std::string& folder) override {
    for (const std::string& name : List(folder)) {
      if (!IsTemporary(name)) continue;
      const std::string path = PathText(SystemPath(folder) / SystemPath(name));
      std::error_code error;
      const StreamFile file = OpenToRead(path, error);
      // Its writer holds the lock while it runs.
      if (!file || !TryLock(file.get())) continue;
      RemoveFile(path, error);
    }
  }

  void Append(const std::string& path, std::string_view text) override {
    StreamFile file = OpenForWriting(path, true);
    if (std::fwrite(text.data(), 1, text.size(), file.get()) != text.size() ||
        std::fclose(file.release()) != 0) {
      throw FileError(fmt::format("cannot write {}: {}", path, Reason(errno)));
    }
  }

  void Remove(const std::string& path) override {
    std::error_code error;
    RemoveFile(path, error);
    if (error) throw FileError(fmt::format("cannot remove {}: {}", path, ReasonFor(error, path)));
  }

 private:
  // NAME.yml.1a2b3c4d.tmp, as Write() calls them.
  static bool IsTemporary(std::string_view name) {
    constexpr std::size_t kEnd = sizeof ".12345678.tmp" - 1;
    if (name.size() <= kEnd || !name.ends_with(".tmp")) return false;
    const std::string_view number = name.substr(name.size() - kEnd, kEnd - 4);
    return number[0] == '.' && AreLowerHexDigits(number.substr(1));
  }

  // Whether a link leads to one of its own parent folders.
  static bool LeadsBack(const std::string& link, const std::string& folder) {
    std::error_code error;
    const std::string target = RealPath(link, error);
    for (fs::path above = fs::absolute(SystemPath(folder), error); !error;
         above = above.parent_path()) {
      if (RealPath(PathText(above), error) == target) return true;
      if (above == above.parent_path()) return false;
    }
    return true;
  }

  // The file is locked until it is closed, so that others see that its writer runs.
  static StreamFile WriteTemporary(const std::string& path, std::string_view text) {
    StreamFile file = OpenForWriting(path, false);
    TryLock(file.get());
    if (std::fwrite(text.data(), 1, text.size(), file.get()) != text.size() ||
        std::fflush(file.get()) != 0) {
      throw FileError(fmt::format("cannot write {}: {}", path, Reason(errno)));
    }
    return file;
  }

  static StreamFile OpenForWriting(const std::string& path, bool append) {
    std::error_code error;
    StreamFile file = OpenToWrite(path, append, error);
    if (!file) throw FileError(fmt::format("cannot write {}: {}", path, error.message()));
    return file;
  }

  template <typename Wanted>
  static std::vector<std::string> Names(const std::string& folder, Wanted wanted) {
    std::vector<std::string> names;
    std::error_code error;
    for (const FolderEntry& entry : EntriesOf(folder, error)) {
      if (wanted(entry)) names.push_back(entry.name);
    }
    if (error && error != std::errc::no_such_file_or_directory) {
      throw FileError(fmt::format("cannot list {}: {}", folder, error.message()));
    }
    std::sort(names.begin(), names.end());
    return names;
  }
};

}  // namespace

FileSystem& RealFileSystem() {
  static Disk disk;
  return disk;
}

}  // namespace wheelwright
