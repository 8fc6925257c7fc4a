#include <algorithm>
#include <utility>

#include "base/platform/file_handle.h"
#include "base/platform/files.h"
#include "base/platform/windows.h"

namespace wheelwright {

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
  // As on other systems, whoever reads a file keeps nobody from replacing it.
  constexpr DWORD kOthers = FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE;
  const DWORD how = reads ? OPEN_EXISTING : what == For::kNewFile ? CREATE_ALWAYS : OPEN_ALWAYS;
  handle_ = reinterpret_cast<std::intptr_t>(
      CreateFileW(LongPath(path).c_str(), reads ? GENERIC_READ : GENERIC_READ | GENERIC_WRITE,
                  kOthers, nullptr, how, FILE_ATTRIBUTE_NORMAL, nullptr));
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

FileHandle::Locking FileHandle::TryLock() const {
  OVERLAPPED where{};
  constexpr DWORD kHow = LOCKFILE_EXCLUSIVE_LOCK | LOCKFILE_FAIL_IMMEDIATELY;
  if (LockFileEx(Native(handle_), kHow, 0, 1, 0, &where) != 0) return Locking::kDone;
  return GetLastError() == ERROR_LOCK_VIOLATION ? Locking::kTaken : Locking::kFailed;
}

std::optional<FileFacts> LookAtFile(const std::string& path) {
  const HANDLE file = CreateFileW(LongPath(path).c_str(), FILE_READ_ATTRIBUTES,
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

}  // namespace wheelwright
