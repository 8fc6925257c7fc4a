#include "runtime/platform/file_access.h"

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <mutex>
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
namespace {

namespace fs = std::filesystem;

fs::path PathOf(const std::string& utf8) {
  return {std::u8string(reinterpret_cast<const char8_t*>(utf8.data()), utf8.size())};
}

// False, with the reason, when the folder of `path` is not there and cannot be made.
bool MakeFolderOf(const fs::path& path, std::string& problem) {
  std::error_code error;
  if (path.has_parent_path()) fs::create_directories(path.parent_path(), error);
  if (error) problem = error.message();
  return !error;
}

bool Replace(const std::string& temporary, const std::string& path, std::string& problem) {
  if (!MakeFolderOf(PathOf(path), problem)) return false;
  std::error_code error;
  fs::rename(PathOf(temporary), PathOf(path), error);
  if (error) problem = error.message();
  return !error;
}

#ifdef _WIN32

using Handle = HANDLE;
const Handle kNoHandle = INVALID_HANDLE_VALUE;

std::string LastProblem() {
  return std::system_category().message(static_cast<int>(GetLastError()));
}

Handle OpenForWriting(const std::string& path, bool anew) {
  return CreateFileW(PathOf(path).c_str(), GENERIC_READ | GENERIC_WRITE,
                     FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE, nullptr,
                     anew ? CREATE_ALWAYS : OPEN_ALWAYS, FILE_ATTRIBUTE_NORMAL, nullptr);
}

bool WriteAll(Handle file, std::uint64_t offset, std::span<const Byte> bytes) {
  while (!bytes.empty()) {
    OVERLAPPED where{};
    where.Offset = static_cast<DWORD>(offset);
    where.OffsetHigh = static_cast<DWORD>(offset >> 32);
    DWORD done = 0;
    const auto wanted = static_cast<DWORD>(std::min<std::size_t>(bytes.size(), 1 << 30));
    if (!WriteFile(file, bytes.data(), wanted, &done, &where)) return false;
    offset += done;
    bytes = bytes.subspan(done);
  }
  return true;
}

bool Flush(Handle file) { return FlushFileBuffers(file) != 0; }
void Close(Handle file) { CloseHandle(file); }

bool LockWhole(Handle file) {
  OVERLAPPED where{};
  return LockFileEx(file, LOCKFILE_EXCLUSIVE_LOCK, 0, 1, 0, &where) != 0;
}

#else

using Handle = int;
constexpr Handle kNoHandle = -1;

std::string LastProblem() { return std::generic_category().message(errno); }

Handle OpenForWriting(const std::string& path, bool anew) {
  return open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | (anew ? O_TRUNC : 0), 0666);
}

bool WriteAll(Handle file, std::uint64_t offset, std::span<const Byte> bytes) {
  while (!bytes.empty()) {
    const ssize_t done = pwrite(file, bytes.data(), bytes.size(), static_cast<off_t>(offset));
    if (done < 0 && errno == EINTR) continue;
    if (done < 0) return false;
    offset += static_cast<std::uint64_t>(done);
    bytes = bytes.subspan(static_cast<std::size_t>(done));
  }
  return true;
}

// What the kernel holds survives everything but a machine that loses its power, and the job is gone
// with it.
bool Flush(Handle) { return true; }
void Close(Handle file) { close(file); }

bool LockWhole(Handle file) {
  int locked = 0;
  do {
    locked = flock(file, LOCK_EX);
  } while (locked != 0 && errno == EINTR);
  return locked == 0;
}

#endif

class DiskSink : public FileSink {
 public:
  DiskSink(Handle file, std::string temporary, std::string path)
      : file_(file), temporary_(std::move(temporary)), path_(std::move(path)) {}
  DiskSink(const DiskSink&) = delete;
  DiskSink& operator=(const DiskSink&) = delete;
  ~DiskSink() override {
    if (file_ == kNoHandle) return;
    Close(file_);
    std::error_code ignored;
    fs::remove(PathOf(temporary_), ignored);
  }

  bool WriteAt(std::uint64_t offset, std::span<const Byte> bytes) override {
    if (WriteAll(file_, offset, bytes)) return true;
    Note(LastProblem());
    return false;
  }

  bool Commit() override {
    if (!Flush(file_)) {
      Note(LastProblem());
      return false;
    }
    Close(std::exchange(file_, kNoHandle));
    std::string problem;
    if (Replace(temporary_, path_, problem)) return true;
    Note(std::move(problem));
    std::error_code ignored;
    fs::remove(PathOf(temporary_), ignored);
    return false;
  }

  std::string problem() const override {
    const std::lock_guard hold(mutex_);
    return problem_;
  }

 private:
  // The first of several threads' troubles is the one to tell.
  void Note(std::string problem) {
    const std::lock_guard hold(mutex_);
    if (problem_.empty()) problem_ = std::move(problem);
  }

  Handle file_;
  std::string temporary_, path_;
  mutable std::mutex mutex_;
  std::string problem_;
};

}  // namespace

#ifdef _WIN32

std::optional<FileFacts> LookAtFile(const std::string& path) {
  const Handle file = CreateFileW(PathOf(path).c_str(), FILE_READ_ATTRIBUTES,
                                  FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE, nullptr,
                                  OPEN_EXISTING, FILE_ATTRIBUTE_NORMAL, nullptr);
  if (file == kNoHandle) return std::nullopt;
  BY_HANDLE_FILE_INFORMATION facts{};
  const bool known = GetFileInformationByHandle(file, &facts) != 0;
  Close(file);
  if (!known || (facts.dwFileAttributes & FILE_ATTRIBUTE_DIRECTORY) != 0) return std::nullopt;
  const auto join = [](DWORD high, DWORD low) { return std::uint64_t{high} << 32 | low; };
  return FileFacts{join(facts.nFileSizeHigh, facts.nFileSizeLow),
                   std::to_string(join(facts.nFileIndexHigh, facts.nFileIndexLow)) + "-" +
                       std::to_string(join(facts.ftLastWriteTime.dwHighDateTime,
                                           facts.ftLastWriteTime.dwLowDateTime))};
}

#else

std::optional<FileFacts> LookAtFile(const std::string& path) {
  struct stat facts{};
  if (stat(path.c_str(), &facts) != 0 || !S_ISREG(facts.st_mode)) return std::nullopt;
  return FileFacts{static_cast<std::uint64_t>(facts.st_size),
                   std::to_string(facts.st_ino) + "-" + std::to_string(facts.st_mtim.tv_sec) + "." +
                       std::to_string(facts.st_mtim.tv_nsec)};
}

#endif

std::unique_ptr<FileSink> OpenFileSink(const std::string& temporary, const std::string& path,
                                       std::string& problem) {
  if (!MakeFolderOf(PathOf(temporary), problem)) return nullptr;
  const Handle file = OpenForWriting(temporary, true);
  if (file == kNoHandle) {
    problem = LastProblem();
    return nullptr;
  }
  return std::make_unique<DiskSink>(file, temporary, path);
}

FileLock::FileLock(const std::string& path) {
  if (!MakeFolderOf(PathOf(path), problem_)) return;
  const Handle file = OpenForWriting(path, false);
  if (file == kNoHandle || !LockWhole(file)) {
    problem_ = LastProblem();
    if (file != kNoHandle) Close(file);
    return;
  }
  file_ = (std::intptr_t)file;
}

FileLock::~FileLock() {
  if (file_ != -1) Close((Handle)file_);
}

}  // namespace wheelwright
