#include "base/platform/file_handle.h"
#include "base/platform/files.h"
#include "base/platform/folders.h"
#include "base/platform/windows.h"

namespace wheelwright {
namespace {

DWORD AttributesOf(const std::wstring& path) { return GetFileAttributesW(path.c_str()); }

bool IsFolderAt(const std::wstring& path) {
  const DWORD attributes = AttributesOf(path);
  return attributes != INVALID_FILE_ATTRIBUTES && (attributes & FILE_ATTRIBUTE_DIRECTORY) != 0;
}

// A mount point, a junction or a symbolic link; not what a cloud drive keeps elsewhere.
bool IsLink(const WIN32_FIND_DATAW& found) {
  return (found.dwFileAttributes & FILE_ATTRIBUTE_REPARSE_POINT) != 0 &&
         (found.dwReserved0 == IO_REPARSE_TAG_SYMLINK ||
          found.dwReserved0 == IO_REPARSE_TAG_MOUNT_POINT);
}

bool Make(const std::wstring& path) {
  if (IsFolderAt(path) || CreateDirectoryW(path.c_str(), nullptr) != 0) return true;
  const DWORD problem = GetLastError();
  // Another thread or program may have made it.
  if (problem == ERROR_ALREADY_EXISTS && IsFolderAt(path)) return true;
  const std::size_t end = path.find_last_of(LR"(\/)");
  if (problem == ERROR_PATH_NOT_FOUND && end != std::wstring::npos && end > 0 &&
      path[end - 1] != L':' && Make(path.substr(0, end))) {
    return CreateDirectoryW(path.c_str(), nullptr) != 0 || IsFolderAt(path);
  }
  SetLastError(problem);
  return false;
}

void Tell(bool good, std::error_code& error) {
  if (good) {
    error.clear();
  } else {
    error = LastError();
  }
}

}  // namespace

bool Exists(const std::string& path) {
  return AttributesOf(LongPath(path)) != INVALID_FILE_ATTRIBUTES;
}

bool IsFile(const std::string& path) { return LookAtFile(path).has_value(); }

bool IsFolder(const std::string& path) { return IsFolderAt(LongPath(path)); }

std::vector<FileBelow> FilesBelow(const std::string& folder,
                                  const std::function<bool(std::string_view path)>& wants,
                                  std::error_code& error) {
  std::vector<FileBelow> files;
  const auto visit = [&](const FolderEntry& entry) {
    std::string path = entry.path.substr(folder.size() + 1);
    if (!wants(path)) return false;
    if (const std::optional<FileFacts> facts = LookAtFile(entry.path)) {
      files.push_back({std::move(path), *facts});
    }
    return true;
  };
  WalkBelow(folder, visit, error);
  return files;
}

std::vector<FolderEntry> EntriesOf(const std::string& folder, std::error_code& error) {
  std::vector<FolderEntry> entries;
  WIN32_FIND_DATAW found{};
  const HANDLE search =
      FindFirstFileExW(LongPath((folder.empty() ? "." : folder) + "/*").c_str(), FindExInfoBasic,
                       &found, FindExSearchNameMatch, nullptr, 0);
  Tell(search != INVALID_HANDLE_VALUE, error);
  if (error) return entries;
  const std::string start = folder.ends_with('/') || folder.empty() ? folder : folder + "/";
  do {
    const std::string name = Utf8Of(found.cFileName);
    if (name == "." || name == "..") continue;
    FolderEntry entry{.name = name, .path = start + name, .is_link = IsLink(found)};
    entry.is_folder = (found.dwFileAttributes & FILE_ATTRIBUTE_DIRECTORY) != 0;
    entry.is_file = !entry.is_folder && (!entry.is_link || IsFile(entry.path));
    entries.push_back(std::move(entry));
  } while (FindNextFileW(search, &found) != 0);
  const DWORD end = GetLastError();
  FindClose(search);
  if (end != ERROR_NO_MORE_FILES) error.assign(static_cast<int>(end), std::system_category());
  return entries;
}

void MakeFolders(const std::string& path, std::error_code& error) {
  Tell(Make(LongPath(path)), error);
}

void RemoveFile(const std::string& path, std::error_code& error) {
  // No folder: RemoveAll() would remove all in it.
  if (IsFolder(path)) {
    Tell(RemoveDirectoryW(LongPath(path).c_str()) != 0, error);
  } else {
    RemoveAll(path, error);
  }
}

void CopyOver(const std::string& from, const std::string& to, std::error_code& error) {
  Tell(CopyFileW(LongPath(from).c_str(), LongPath(to).c_str(), FALSE) != 0, error);
}

std::string RealPath(const std::string& path, std::error_code& error) {
  // With this flag a folder is opened, too.
  const HANDLE file = CreateFileW(LongPath(path).c_str(), FILE_READ_ATTRIBUTES,
                                  FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE, nullptr,
                                  OPEN_EXISTING, FILE_FLAG_BACKUP_SEMANTICS, nullptr);
  Tell(file != INVALID_HANDLE_VALUE, error);
  if (error) return {};
  std::wstring real(32768, L'\0');
  real.resize(GetFinalPathNameByHandleW(file, real.data(), static_cast<DWORD>(real.size()),
                                        FILE_NAME_NORMALIZED | VOLUME_NAME_DOS));
  Tell(!real.empty(), error);
  CloseHandle(file);
  return PathText(real);
}

}  // namespace wheelwright
