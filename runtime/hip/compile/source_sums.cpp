#include "runtime/hip/compile/source_sums.h"

#include <fmt/format.h>

#include <filesystem>
#include <system_error>

#include "base/platform/files.h"
#include "runtime/store/digest/sum.h"

namespace wheelwright {

std::string StampOf(const std::string& path) {
  std::error_code error;
  const std::filesystem::path real = std::filesystem::canonical(SystemPath(path), error);
  if (error) return {};
  const auto size = std::filesystem::file_size(real, error);
  if (error) return {};
  const auto time = std::filesystem::last_write_time(real, error);
  if (error) return {};
  return fmt::format("{} {} {}", PathText(real), size, time.time_since_epoch().count());
}

std::string SourceSums::Of(const std::string& path) {
  {
    const std::lock_guard lock(mutex_);
    const auto known = sums_.find(path);
    if (known != sums_.end()) return known->second;
  }
  std::string sum = Sha256OfFile(path).value_or("");
  const std::lock_guard lock(mutex_);
  return sums_.emplace(path, std::move(sum)).first->second;
}

}  // namespace wheelwright
