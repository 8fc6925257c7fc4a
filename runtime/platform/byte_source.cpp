#include "runtime/platform/byte_source.h"

#include <algorithm>
#include <cerrno>
#include <cstring>

#ifdef _WIN32
#define WIN32_LEAN_AND_MEAN
#define NOMINMAX
#include <windows.h>

#include <filesystem>
#include <system_error>
#else
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#endif

namespace wheelwright {
namespace {

bool Fits(std::uint64_t size, std::uint64_t offset, std::size_t length) {
  return offset <= size && length <= size - offset;
}

#ifdef _WIN32

class FileSource : public ByteSource {
 public:
  FileSource(HANDLE file, std::uint64_t size) : file_(file), size_(size) {}
  FileSource(const FileSource&) = delete;
  FileSource& operator=(const FileSource&) = delete;
  ~FileSource() override { CloseHandle(file_); }

  std::uint64_t size() const override { return size_; }

  bool ReadAt(std::uint64_t offset, std::span<Byte> out) const override {
    if (!Fits(size_, offset, out.size())) return false;
    while (!out.empty()) {
      OVERLAPPED where{};
      where.Offset = static_cast<DWORD>(offset);
      where.OffsetHigh = static_cast<DWORD>(offset >> 32);
      DWORD got = 0;
      const auto wanted = static_cast<DWORD>(std::min<std::size_t>(out.size(), 1 << 30));
      if (!ReadFile(file_, out.data(), wanted, &got, &where) || got == 0) return false;
      offset += got;
      out = out.subspan(got);
    }
    return true;
  }

 private:
  HANDLE file_;
  std::uint64_t size_;
};

#else

class FileSource : public ByteSource {
 public:
  FileSource(int file, std::uint64_t size) : file_(file), size_(size) {}
  FileSource(const FileSource&) = delete;
  FileSource& operator=(const FileSource&) = delete;
  ~FileSource() override { close(file_); }

  std::uint64_t size() const override { return size_; }

  bool ReadAt(std::uint64_t offset, std::span<Byte> out) const override {
    if (!Fits(size_, offset, out.size())) return false;
    while (!out.empty()) {
      const ssize_t got = pread(file_, out.data(), out.size(), static_cast<off_t>(offset));
      if (got < 0 && errno == EINTR) continue;
      if (got <= 0) return false;
      offset += static_cast<std::uint64_t>(got);
      out = out.subspan(static_cast<std::size_t>(got));
    }
    return true;
  }

 private:
  int file_;
  std::uint64_t size_;
};

#endif

}  // namespace

bool MemorySource::ReadAt(std::uint64_t offset, std::span<Byte> out) const {
  if (!Fits(bytes_.size(), offset, out.size())) return false;
  if (!out.empty()) std::memcpy(out.data(), bytes_.data() + offset, out.size());
  return true;
}

#ifdef _WIN32

std::unique_ptr<ByteSource> OpenFileSource(const std::string& path, std::string& problem) {
  const std::filesystem::path wide(
      std::u8string(reinterpret_cast<const char8_t*>(path.data()), path.size()));
  const HANDLE file = CreateFileW(wide.c_str(), GENERIC_READ, FILE_SHARE_READ, nullptr,
                                  OPEN_EXISTING, FILE_ATTRIBUTE_NORMAL, nullptr);
  LARGE_INTEGER size;
  if (file == INVALID_HANDLE_VALUE || !GetFileSizeEx(file, &size)) {
    problem = std::system_category().message(static_cast<int>(GetLastError()));
    if (file != INVALID_HANDLE_VALUE) CloseHandle(file);
    return nullptr;
  }
  return std::make_unique<FileSource>(file, static_cast<std::uint64_t>(size.QuadPart));
}

#else

std::unique_ptr<ByteSource> OpenFileSource(const std::string& path, std::string& problem) {
  // Without O_NONBLOCK, opening a named pipe that nobody writes to would never end.
  const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  struct stat facts{};
  if (file < 0 || fstat(file, &facts) != 0) {
    problem = std::strerror(errno);
    if (file >= 0) close(file);
    return nullptr;
  }
  if (!S_ISREG(facts.st_mode)) {
    problem = "it is not a regular file";
    close(file);
    return nullptr;
  }
  return std::make_unique<FileSource>(file, static_cast<std::uint64_t>(facts.st_size));
}

#endif

}  // namespace wheelwright
