#include "runtime/hip/compile/source_sums.h"

#include <fmt/format.h>

#include <optional>
#include <system_error>

#include "base/platform/file_handle.h"
#include "base/platform/folders.h"
#include "runtime/store/digest/sum.h"

namespace wheelwright {

std::string StampOf(const std::string& path) {
  std::error_code error;
  const std::string real = RealPath(path, error);
  const std::optional<FileFacts> facts = LookAtFile(real);
  return facts ? fmt::format("{} {} {}", real, facts->size, facts->identity) : std::string();
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
