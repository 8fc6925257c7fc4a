#include "generator/commands/new_files.h"

#include <fmt/format.h>

#include <utility>

namespace wheelwright {

bool WriteNewFiles(FileSystem& disk, const std::map<std::string, std::string>& files,
                   const std::vector<std::string>& others, Diagnostics& diagnostics) {
  std::vector<std::string> found;
  for (const auto& [path, text] : files) {
    if (disk.Read(path)) found.push_back(path);
  }
  for (const std::string& path : others) {
    if (!files.contains(path) && disk.Read(path)) found.push_back(path);
  }
  if (!found.empty()) {
    Diagnostic diagnostic{
        .code = "file-in-the-way",
        .message = fmt::format("{} in the way", found.size() == 1
                                                    ? "1 file is"
                                                    : fmt::format("{} files are", found.size())),
        .notes = std::move(found)};
    diagnostic.notes.emplace_back("choose another folder, or move what is there");
    diagnostics.Report(std::move(diagnostic));
    return false;
  }
  std::vector<std::string> written;
  try {
    for (const auto& [path, text] : files) {
      disk.Write(path, text);
      written.push_back(path);
    }
    return true;
  } catch (const FileError& error) {
    diagnostics.Report({.code = "file-access", .message = error.what()});
  }
  for (const std::string& path : written) disk.Remove(path);
  return false;
}

}  // namespace wheelwright
