#include "runtime/host/platform/file_handle.h"

#include <algorithm>
#include <cerrno>
#include <system_error>
#include <utility>

#ifdef _WIN32
#define WIN32_LEAN_AND_MEAN
#define NOMINMAX
#include <windows.h>
#else
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>
#endif

namespace wheelwright {

std::filesystem::path PathOf(const std::string& utf8) {
  return {std::u8string(reinterpret_cast<const char8_t*>(utf8.data()), utf8.size())};
}

FileHandle::FileHandle(FileHandle&& other) noexcept
    : handle_(std::exchange(other.handle_, kNone)), size_(other.size_) {}

FileHandle::~FileHandle() { Close(); }

#ifdef _WIN32

namespace {

constexpr std::size_t kMostAtOnce = std::size_t{1} << 30;

HANDLE Native(std::intptr_t handle) { return reinterpret_cast<HANDLE>(handle); }

OVERLAPPED At(std::uint64_t offset) {
  OVERLAPPED where{};
  where.Offset = static_cast<DWORD>(offset);
  where.OffsetHigh = static_cast<DWORD>(offset >> 32);
  return where;
}

}  // namespace

std::string FileHandle::LastProblem() {
  return std::system_category().message(static_cast<int>(GetLastError()));
}

FileHandle::FileHandle(const std::string& path, For what, std::string& problem) {
  const bool reads = what == For::kReading;
  const DWORD others =
      reads ? FILE_SHARE_READ : FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE;
  const DWORD how = reads ? OPEN_EXISTING : what == For::kNewFile ? CREATE_ALWAYS : OPEN_ALWAYS;
  handle_ = reinterpret_cast<std::intptr_t>(
      CreateFileW(PathOf(path).c_str(), reads ? GENERIC_READ : GENERIC_READ | GENERIC_WRITE, others,
                  nullptr, how, FILE_ATTRIBUTE_NORMAL, nullptr));
  LARGE_INTEGER size{};
  if (!open() || !GetFileSizeEx(Native(handle_), &size)) {
    problem = LastProblem();
    Close();
    return;
  }
  size_ = static_cast<std::uint64_t>(size.QuadPart);
}

void FileHandle::Close() {
  if (open()) CloseHandle(Native(std::exchange(handle_, kNone)));
}

bool FileHandle::ReadAt(std::uint64_t offset, std::span<Byte> out) const {
  while (!out.empty()) {
    OVERLAPPED where = At(offset);
    DWORD got = 0;
    const auto wanted = static_cast<DWORD>(std::min(out.size(), kMostAtOnce));
    if (!ReadFile(Native(handle_), out.data(), wanted, &got, &where) || got == 0) return false;
    offset += got;
    out = out.subspan(got);
  }
  return true;
}

bool FileHandle::WriteAt(std::uint64_t offset, std::span<const Byte> bytes) const {
  while (!bytes.empty()) {
    OVERLAPPED where = At(offset);
    DWORD done = 0;
    const auto wanted = static_cast<DWORD>(std::min(bytes.size(), kMostAtOnce));
    if (!WriteFile(Native(handle_), bytes.data(), wanted, &done, &where)) return false;
    offset += done;
    bytes = bytes.subspan(done);
  }
  return true;
}

bool FileHandle::Flush() const { return FlushFileBuffers(Native(handle_)) != 0; }

bool FileHandle::Lock() const {
  OVERLAPPED where{};
  return LockFileEx(Native(handle_), LOCKFILE_EXCLUSIVE_LOCK, 0, 1, 0, &where) != 0;
}

std::optional<FileFacts> LookAtFile(const std::string& path) {
  const HANDLE file = CreateFileW(PathOf(path).c_str(), FILE_READ_ATTRIBUTES,
                                  FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE, nullptr,
                                  OPEN_EXISTING, FILE_ATTRIBUTE_NORMAL, nullptr);
  if (file == INVALID_HANDLE_VALUE) return std::nullopt;
  BY_HANDLE_FILE_INFORMATION facts{};
  const bool known = GetFileInformationByHandle(file, &facts) != 0;
  CloseHandle(file);
  if (!known || (facts.dwFileAttributes & FILE_ATTRIBUTE_DIRECTORY) != 0) return std::nullopt;
  const auto join = [](DWORD high, DWORD low) { return std::uint64_t{high} << 32 | low; };
  return FileFacts{join(facts.nFileSizeHigh, facts.nFileSizeLow),
                   std::to_string(join(facts.nFileIndexHigh, facts.nFileIndexLow)) + "-" +
                       std::to_string(join(facts.ftLastWriteTime.dwHighDateTime,
                                           facts.ftLastWriteTime.dwLowDateTime))};
}

#else

std::string FileHandle::LastProblem() { return std::generic_category().message(errno); }

FileHandle::FileHandle(const std::string& path, For what, std::string& problem) {
  // Without O_NONBLOCK, opening a named pipe waits for a writer.
  const int how = what == For::kReading   ? O_RDONLY | O_NONBLOCK
                  : what == For::kNewFile ? O_RDWR | O_CREAT | O_TRUNC
                                          : O_RDWR | O_CREAT;
  handle_ = ::open(path.c_str(), how | O_CLOEXEC, 0666);
  struct stat facts{};
  if (!open() || fstat(static_cast<int>(handle_), &facts) != 0) {
    problem = LastProblem();
    Close();
    return;
  }
  if (what == For::kReading && !S_ISREG(facts.st_mode)) {
    problem = "it is not a regular file";
    Close();
    return;
  }
  size_ = static_cast<std::uint64_t>(facts.st_size);
}

void FileHandle::Close() {
  if (open()) ::close(static_cast<int>(std::exchange(handle_, kNone)));
}

bool FileHandle::ReadAt(std::uint64_t offset, std::span<Byte> out) const {
  while (!out.empty()) {
    const ssize_t got =
        pread(static_cast<int>(handle_), out.data(), out.size(), static_cast<off_t>(offset));
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return false;
    offset += static_cast<std::uint64_t>(got);
    out = out.subspan(static_cast<std::size_t>(got));
  }
  return true;
}

bool FileHandle::WriteAt(std::uint64_t offset, std::span<const Byte> bytes) const {
  while (!bytes.empty()) {
    const ssize_t done =
        pwrite(static_cast<int>(handle_), bytes.data(), bytes.size(), static_cast<off_t>(offset));
    if (done < 0 && errno == EINTR) continue;
    if (done < 0) return false;
    offset += static_cast<std::uint64_t>(done);
    bytes = bytes.subspan(static_cast<std::size_t>(done));
  }
  return true;
}

// The kernel's cache survives everything but a power failure, which ends the job too.
bool FileHandle::Flush() const { return true; }

bool FileHandle::Lock() const {
  int locked = 0;
  do {
    locked = flock(static_cast<int>(handle_), LOCK_EX);
  } while (locked != 0 && errno == EINTR);
  return locked == 0;
}

std::optional<FileFacts> LookAtFile(const std::string& path) {
  struct stat facts{};
  if (stat(path.c_str(), &facts) != 0 || !S_ISREG(facts.st_mode)) return std::nullopt;
  return FileFacts{static_cast<std::uint64_t>(facts.st_size),
                   std::to_string(facts.st_ino) + "-" + std::to_string(facts.st_mtim.tv_sec) + "." +
                       std::to_string(facts.st_mtim.tv_nsec)};
}

#endif

}  // namespace wheelwright
