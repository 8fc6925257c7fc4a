#include "runtime/pytorch/build/requirements.h"

#include <fmt/format.h>

#include <utility>

#include "base/platform/files.h"
#include "base/platform/folders.h"

namespace wheelwright {

std::vector<std::string> RequirementFiles(std::string_view project, const std::string& folder) {
  std::vector<std::string> names;
  if (project == "torch") names = {"requirements.txt", "requirements-build.txt"};
  if (project == "triton") {
    const bool inner = SystemPath(folder).filename() == "python";
    names = {inner ? "requirements.txt" : "python/requirements.txt"};
  }
  std::vector<std::string> files;
  for (const std::string& name : names) {
    if (std::string path = fmt::format("{}/{}", folder, name); Exists(path)) {
      files.push_back(std::move(path));
    }
  }
  return files;
}

}  // namespace wheelwright
