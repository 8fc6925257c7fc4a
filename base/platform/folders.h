// What is on the disk. std::filesystem is not used for it outside of this folder: that of MinGW
// takes paths of 260 characters at most on Windows, and treats longer folders as empty.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include "base/platform/file_handle.h"

namespace wheelwright {

// Whether there is anything, even a link that leads nowhere.
bool Exists(const std::string& path);
// What links lead to. False on errors, too.
bool IsFile(const std::string& path);
bool IsFolder(const std::string& path);

struct FolderEntry {
  std::string name;
  std::string path;  // that of the folder and the name
  // What it is, or what the link leads to.
  bool is_file = false;
  bool is_folder = false;
  bool is_link = false;
};

// In no order.
std::vector<FolderEntry> EntriesOf(const std::string& folder, std::error_code& error);
// Visits all below a folder. `visit` returns whether to enter a folder; links are not entered. Ends
// at the first error.
void WalkBelow(const std::string& folder, const std::function<bool(const FolderEntry&)>& visit,
               std::error_code& error);

struct FileBelow {
  std::string path;  // below the folder, with '/' between names
  FileFacts facts;
};

// The regular files below a folder, in no order, also where links lead to one; linked folders are
// not entered. `wants` tells of a path below the folder whether to look at a file or to enter a
// folder. Files that are removed meanwhile are left out. Made for folders of ten thousands.
std::vector<FileBelow> FilesBelow(const std::string& folder,
                                  const std::function<bool(std::string_view path)>& wants,
                                  std::error_code& error);

// Makes a folder and those above it. One that is there is no error.
void MakeFolders(const std::string& path, std::error_code& error);
// Nothing there is no error.
void RemoveFile(const std::string& path, std::error_code& error);
// Copies a file over another.
void CopyOver(const std::string& from, const std::string& to, std::error_code& error);
// The absolute path without links; "" with an error where there is nothing.
std::string RealPath(const std::string& path, std::error_code& error);
// Of the folder of a path; "" when it has none.
std::string ParentFolder(const std::string& path);

}  // namespace wheelwright
