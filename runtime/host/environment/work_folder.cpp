#include "runtime/host/environment/work_folder.h"

#include <fmt/format.h>

#include <filesystem>
#include <random>
#include <system_error>

#include "base/platform/files.h"
#include "base/platform/folders.h"

namespace wheelwright {

namespace fs = std::filesystem;

WorkFolder::WorkFolder(const Host& host, std::string_view purpose) {
  std::error_code error;
  fs::path base = SystemPath(host.Variable("RUNNER_TEMP"));
  if (base.empty()) base = fs::temp_directory_path(error);
  std::random_device device;
  path_ = PathText(fs::absolute(base, error) /
                   fmt::format("wheelrun-{}-{:08x}{:08x}", purpose, device(), device()));
  MakeFolders(path_, error);
  fs::permissions(SystemPath(path_), fs::perms::owner_all, error);
}

WorkFolder::~WorkFolder() {
  std::error_code ignored;
  RemoveAll(path_, ignored);
}

}  // namespace wheelwright
