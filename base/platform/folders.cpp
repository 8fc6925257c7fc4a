#include "base/platform/folders.h"

#include "base/platform/files.h"

namespace wheelwright {

void WalkBelow(const std::string& folder, const std::function<bool(const FolderEntry&)>& visit,
               std::error_code& error) {
  for (const FolderEntry& entry : EntriesOf(folder, error)) {
    if (visit(entry) && entry.is_folder && !entry.is_link) WalkBelow(entry.path, visit, error);
    if (error) return;
  }
}

std::string ParentFolder(const std::string& path) {
  return PathText(SystemPath(path).parent_path());
}

}  // namespace wheelwright
