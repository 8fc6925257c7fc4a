#include "base/file_system.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <random>
#include <system_error>

#include "base/platform/files.h"

namespace wheelwright {
namespace {

namespace fs = std::filesystem;

std::string Reason(int error) { return std::generic_category().message(error); }

class Disk : public FileSystem {
 public:
  std::optional<std::string> Read(const std::string& path) override {
    std::error_code error;
    const fs::path at = SystemPath(path);
    if (fs::is_directory(at, error)) {
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
    const auto size = fs::file_size(at, error);
    if (!error) text.reserve(size);
    char buffer[1 << 16];
    while (const std::size_t got = std::fread(buffer, 1, sizeof buffer, file.get())) {
      text.append(buffer, got);
    }
    if (std::ferror(file.get())) {
      throw FileError(fmt::format("cannot read {}: {}", path, Reason(errno)));
    }
    if (text.empty() && fs::is_fifo(at, error)) {
      throw FileError(fmt::format("cannot read {}: it is a pipe that nobody writes to", path));
    }
    return text;
  }

  std::vector<std::string> List(const std::string& folder) override {
    // The error code ignores links to themselves, for which the other overload throws.
    return Names(folder, [](const fs::directory_entry& entry) {
      std::error_code error;
      return entry.is_regular_file(error);
    });
  }

  std::vector<std::string> ListFolders(const std::string& folder) override {
    return Names(folder, [&](const fs::directory_entry& entry) {
      std::error_code error;
      return entry.is_directory(error) &&
             !(entry.is_symlink(error) && LeadsBack(entry, SystemPath(folder)));
    });
  }

  void Write(const std::string& path, std::string_view text) override {
    const fs::path target = SystemPath(path);
    std::error_code error;
    if (target.has_parent_path()) fs::create_directories(target.parent_path(), error);
    if (error) {
      throw FileError(fmt::format("cannot make the folder of {}: {}", path, error.message()));
    }
    // Beside the target, so that the rename stays on one file system.
    const std::string temporary =
        fmt::format("{}.{:08x}.tmp", path, static_cast<std::uint32_t>(std::random_device{}()));
    try {
      const StreamFile lock = WriteTemporary(temporary, text);
      PutInPlace(temporary, path, error);
      if (error) throw FileError(fmt::format("cannot replace {}: {}", path, error.message()));
    } catch (const FileError&) {
      fs::remove(SystemPath(temporary), error);
      throw;
    }
  }

  void RemoveLeftovers(const std::string& folder) override {
    for (const std::string& name : List(folder)) {
      if (!IsTemporary(name)) continue;
      const fs::path path = SystemPath(folder) / SystemPath(name);
      std::error_code error;
      const StreamFile file = OpenToRead(PathText(path), error);
      // Its writer holds the lock while it runs.
      if (!file || !TryLock(file.get())) continue;
      fs::remove(path, error);
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
    fs::remove(SystemPath(path), error);
    if (error) throw FileError(fmt::format("cannot remove {}: {}", path, error.message()));
  }

 private:
  // NAME.yml.1a2b3c4d.tmp, as Write() calls them.
  static bool IsTemporary(std::string_view name) {
    constexpr std::size_t kEnd = sizeof ".12345678.tmp" - 1;
    if (name.size() <= kEnd || !name.ends_with(".tmp")) return false;
    const std::string_view number = name.substr(name.size() - kEnd, kEnd - 4);
    return number[0] == '.' &&
           number.substr(1).find_first_not_of("0123456789abcdef") == std::string_view::npos;
  }

  // Whether a link leads to one of its own parent folders.
  static bool LeadsBack(const fs::path& link, const fs::path& folder) {
    std::error_code error;
    for (fs::path above = fs::absolute(folder, error); !error; above = above.parent_path()) {
      if (fs::equivalent(link, above, error)) return true;
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
    for (fs::directory_iterator it(SystemPath(folder), error), end; !error && it != end;
         it.increment(error)) {
      if (wanted(*it)) names.push_back(PathText(it->path().filename()));
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
