#include <fcntl.h>
#include <fmt/format.h>
#include <io.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <new>
#include <random>
#include <thread>
#include <vector>

#include "base/platform/files.h"
#include "base/platform/folders.h"
#include "base/platform/windows.h"
// After windows.h.
#include <restartmanager.h>

namespace wheelwright {
namespace {

namespace fs = std::filesystem;

// From this length on, names of folders are refused: 260 less a name of 8.3.
constexpr std::size_t kLongPath = 248;
constexpr std::wstring_view kUnlimited = LR"(\\?\)";
constexpr std::wstring_view kUnlimitedShare = LR"(\\?\UNC\)";

// How long a file that somebody else has open is tried again: scanners of viruses and indexers look
// at what is new.
constexpr int kTries = 40;
constexpr std::chrono::milliseconds kBetween{50};

template <typename Step>
void Persist(const Step& step, std::error_code& error) {
  for (int left = kTries; left > 0; --left) {
    if (step()) {
      error.clear();
      return;
    }
    error = LastError();
    const int code = error.value();
    if (code != ERROR_SHARING_VIOLATION && code != ERROR_ACCESS_DENIED &&
        code != ERROR_LOCK_VIOLATION && code != ERROR_USER_MAPPED_FILE &&
        code != ERROR_DIR_NOT_EMPTY) {
      return;
    }
    std::this_thread::sleep_for(kBetween);
  }
}

void MakeWritable(const std::wstring& path) {
  const DWORD attributes = GetFileAttributesW(path.c_str());
  if (attributes != INVALID_FILE_ATTRIBUTES && (attributes & FILE_ATTRIBUTE_READONLY) != 0) {
    SetFileAttributesW(path.c_str(), attributes & ~DWORD{FILE_ATTRIBUTE_READONLY});
  }
}

bool IsMissing(const std::error_code& error) {
  return error.value() == ERROR_FILE_NOT_FOUND || error.value() == ERROR_PATH_NOT_FOUND;
}

// Of the system's own kind, so that what is below it may be longer than it.
void RemoveTree(const std::wstring& path, std::error_code& error) {
  const DWORD attributes = GetFileAttributesW(path.c_str());
  if (attributes == INVALID_FILE_ATTRIBUTES) {
    error = LastError();
    if (IsMissing(error)) error.clear();
    return;
  }
  const bool folder = (attributes & FILE_ATTRIBUTE_DIRECTORY) != 0;
  // A link is removed, not what it leads to.
  if (folder && (attributes & FILE_ATTRIBUTE_REPARSE_POINT) == 0) {
    WIN32_FIND_DATAW found{};
    const HANDLE search = FindFirstFileW((path + L"\\*").c_str(), &found);
    if (search == INVALID_HANDLE_VALUE) {
      error = LastError();
      return;
    }
    do {
      const std::wstring_view name = found.cFileName;
      if (name == L"." || name == L"..") continue;
      RemoveTree(path + L"\\" + found.cFileName, error);
    } while (!error && FindNextFileW(search, &found) != 0);
    FindClose(search);
    if (error) return;
  }
  MakeWritable(path);
  Persist(
      [&] { return (folder ? RemoveDirectoryW(path.c_str()) : DeleteFileW(path.c_str())) != 0; },
      error);
  if (IsMissing(error)) error.clear();
}

std::wstring WholePath(const std::wstring& path) {
  std::wstring whole(32768, L'\0');
  whole.resize(
      GetFullPathNameW(path.c_str(), static_cast<DWORD>(whole.size()), whole.data(), nullptr));
  return whole;
}

std::wstring Unlimited(const std::wstring& path) {
  if (path.starts_with(kUnlimited)) return path;
  const std::wstring whole = WholePath(path);
  if (whole.empty()) return path;
  if (whole.starts_with(LR"(\\)")) return std::wstring(kUnlimitedShare) + whole.substr(2);
  return std::wstring(kUnlimited) + whole;
}

// As POSIX does it: whoever has the old file open keeps it. From Windows 10 1809 on, on NTFS.
bool ReplaceOpen(const std::wstring& from, const std::wstring& to) {
  const std::wstring target = Unlimited(to);
  // Of the headers of older Windows: FileRenameInfoEx and FILE_RENAME_INFO with its flags.
  constexpr auto kRenameEx = static_cast<FILE_INFO_BY_HANDLE_CLASS>(22);
  constexpr DWORD kReplace = 1, kAsPosix = 2;
  struct RenameEx {
    DWORD flags;
    HANDLE root;
    DWORD bytes;
    wchar_t name[1];
  };
  std::vector<std::byte> memory(sizeof(RenameEx) + target.size() * sizeof(wchar_t));
  auto* const request = new (memory.data()) RenameEx{};
  request->flags = kReplace | kAsPosix;
  request->bytes = static_cast<DWORD>(target.size() * sizeof(wchar_t));
  std::ranges::copy(target, request->name);
  const HANDLE file = CreateFileW(from.c_str(), DELETE | SYNCHRONIZE,
                                  FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE, nullptr,
                                  OPEN_EXISTING, FILE_FLAG_BACKUP_SEMANTICS, nullptr);
  if (file == INVALID_HANDLE_VALUE) return false;
  const bool good =
      SetFileInformationByHandle(file, kRenameEx, request, static_cast<DWORD>(memory.size())) != 0;
  CloseHandle(file);
  return good;
}

// The programs that have a file open, by the Restart Manager of Windows; "" when it knows none.
std::string HoldersOf(const std::string& path) {
  DWORD session = 0;
  wchar_t key[CCH_RM_SESSION_KEY + 1]{};
  if (RmStartSession(&session, 0, key) != ERROR_SUCCESS) return {};
  const std::wstring file = WholePath(WideOf(path));
  const wchar_t* files[]{file.c_str()};
  std::vector<RM_PROCESS_INFO> programs(16);
  auto count = static_cast<UINT>(programs.size());
  UINT needed = 0;
  DWORD reasons = 0;
  const bool known =
      RmRegisterResources(session, 1, files, 0, nullptr, 0, nullptr) == ERROR_SUCCESS &&
      RmGetList(session, &needed, &count, programs.data(), &reasons) == ERROR_SUCCESS;
  RmEndSession(session);
  std::string names;
  for (UINT i = 0; known && i < count; ++i) {
    const std::string_view comma = names.empty() ? "" : ", ";
    names += fmt::format("{}{} ({})", comma, Utf8Of(programs[i].strAppName),
                         programs[i].Process.dwProcessId);
  }
  return names;
}

bool IsInUse(int code, const std::string& path) {
  if (code == ERROR_SHARING_VIOLATION || code == ERROR_LOCK_VIOLATION ||
      code == ERROR_USER_MAPPED_FILE) {
    return true;
  }
  if (code != ERROR_ACCESS_DENIED) return false;
  // Said of files that are open, too, and not only of those of somebody else.
  const HANDLE file = CreateFileW(LongPath(path).c_str(), DELETE,
                                  FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE, nullptr,
                                  OPEN_EXISTING, FILE_FLAG_BACKUP_SEMANTICS, nullptr);
  if (file == INVALID_HANDLE_VALUE) return GetLastError() == ERROR_SHARING_VIOLATION;
  CloseHandle(file);
  return true;
}

StreamFile Open(const std::string& path, DWORD access, DWORD how, int flags, const char* mode,
                std::error_code& error) {
  HANDLE handle = INVALID_HANDLE_VALUE;
  Persist(
      [&] {
        handle = CreateFileW(LongPath(path).c_str(), access,
                             FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE, nullptr, how,
                             FILE_ATTRIBUTE_NORMAL, nullptr);
        // What is not allowed stays so; only what is in use is worth a second look.
        return handle != INVALID_HANDLE_VALUE || GetLastError() == ERROR_ACCESS_DENIED;
      },
      error);
  if (handle == INVALID_HANDLE_VALUE) {
    if (!error) error = std::error_code(ERROR_ACCESS_DENIED, std::system_category());
    return nullptr;
  }
  const int number = _open_osfhandle(reinterpret_cast<std::intptr_t>(handle), flags | _O_BINARY);
  StreamFile file(number >= 0 ? _fdopen(number, mode) : nullptr);
  if (!file) error.assign(errno, std::generic_category());
  return file;
}

}  // namespace

std::wstring WideOf(std::string_view utf8) {
  std::wstring wide(utf8.size(), L'\0');  // never more units than bytes
  if (wide.empty()) return wide;
  wide.resize(static_cast<std::size_t>(
      MultiByteToWideChar(CP_UTF8, 0, utf8.data(), static_cast<int>(utf8.size()), wide.data(),
                          static_cast<int>(wide.size()))));
  return wide;
}

std::string Utf8Of(std::wstring_view wide) {
  std::string utf8(wide.size() * 3, '\0');
  if (utf8.empty()) return utf8;
  utf8.resize(static_cast<std::size_t>(
      WideCharToMultiByte(CP_UTF8, 0, wide.data(), static_cast<int>(wide.size()), utf8.data(),
                          static_cast<int>(utf8.size()), nullptr, nullptr)));
  return utf8;
}

std::wstring LongPath(std::string_view utf8) {
  std::wstring wide = WideOf(utf8);
  if (wide.size() >= kLongPath) return Unlimited(wide);
  // What counts is the length with the current folder.
  const bool is_whole = wide.starts_with(L'/') || wide.starts_with(L'\\') || wide.find(L':') == 1;
  if (is_whole || GetFullPathNameW(wide.c_str(), 0, nullptr, nullptr) < kLongPath) return wide;
  return Unlimited(wide);
}

std::filesystem::path SystemPath(std::string_view utf8) { return WideOf(utf8); }

std::string PathText(const std::filesystem::path& path) {
  std::wstring wide = path.native();
  if (wide.starts_with(kUnlimitedShare)) {
    wide.replace(0, kUnlimitedShare.size(), LR"(\\)");
  } else if (wide.starts_with(kUnlimited)) {
    wide.erase(0, kUnlimited.size());
  }
  for (wchar_t& unit : wide) {
    if (unit == L'\\') unit = L'/';
  }
  return Utf8Of(wide);
}

StreamFile OpenToRead(const std::string& path, std::error_code& error) {
  return Open(path, GENERIC_READ, OPEN_EXISTING, _O_RDONLY, "rb", error);
}

StreamFile OpenToWrite(const std::string& path, bool append, std::error_code& error) {
  return Open(path, append ? FILE_APPEND_DATA | SYNCHRONIZE : GENERIC_WRITE,
              append ? OPEN_ALWAYS : CREATE_ALWAYS, append ? _O_APPEND : 0, append ? "ab" : "wb",
              error);
}

bool TryLock(std::FILE* file) {
  OVERLAPPED where{};
  where.OffsetHigh = 0x7FFFFFFF;  // behind all bytes: whoever reads them is not kept out
  const auto handle = reinterpret_cast<HANDLE>(_get_osfhandle(_fileno(file)));
  return LockFileEx(handle, LOCKFILE_EXCLUSIVE_LOCK | LOCKFILE_FAIL_IMMEDIATELY, 0, 1, 0, &where) !=
         0;
}

void PutInPlace(const std::string& from, const std::string& to, std::error_code& error) {
  const std::wstring source = LongPath(from);
  const std::wstring target = LongPath(to);
  MakeWritable(target);
  Persist(
      [&] {
        return ReplaceOpen(source, target) ||
               MoveFileExW(source.c_str(), target.c_str(), MOVEFILE_REPLACE_EXISTING) != 0;
      },
      error);
}

std::string ReasonFor(const std::error_code& error, const std::string& path) {
  if (error.category() != std::system_category() || !IsInUse(error.value(), path)) {
    return error.message();
  }
  const std::string holders = HoldersOf(path);
  return fmt::format("{}: end {}", error.message(),
                     holders.empty() ? "the program that has it open"
                                     : fmt::format("{}, which has it open", holders));
}

void RemoveAll(const std::string& path, std::error_code& error) {
  error.clear();
  RemoveTree(Unlimited(WideOf(path)), error);
}

std::string MakeTemporaryFolder(std::string_view prefix) {
  std::error_code error;
  const fs::path base = fs::temp_directory_path(error);
  if (error) return {};
  std::random_device device;
  // The folder is that of the user, whose rights it takes over.
  std::string folder =
      PathText(base / SystemPath(fmt::format("{}-{:08x}{:08x}", prefix, device(), device())));
  MakeFolders(folder, error);
  return error ? std::string() : folder;
}

}  // namespace wheelwright
