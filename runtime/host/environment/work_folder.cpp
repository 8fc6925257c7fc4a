#include "runtime/host/environment/work_folder.h"

#include <fmt/format.h>

#include <filesystem>
#include <random>
#include <system_error>

namespace wheelwright {

namespace fs = std::filesystem;

WorkFolder::WorkFolder(const Host& host, std::string_view purpose) {
  std::error_code error;
  fs::path base = host.Variable("RUNNER_TEMP");
  if (base.empty()) base = fs::temp_directory_path(error);
  std::random_device device;
  path_ = (fs::absolute(base, error) /
           fmt::format("wheelrun-{}-{:08x}{:08x}", purpose, device(), device()))
              .string();
  fs::create_directories(path_, error);
  fs::permissions(path_, fs::perms::owner_all, error);
}

WorkFolder::~WorkFolder() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

}  // namespace wheelwright
