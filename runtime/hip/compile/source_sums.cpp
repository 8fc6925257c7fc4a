#include "runtime/hip/compile/source_sums.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <system_error>
#include <vector>

#include "runtime/host/platform/byte_source.h"
#include "runtime/store/digest/digest.h"

namespace wheelwright {

std::string StampOf(const std::string& path) {
  std::error_code error;
  const std::filesystem::path real = std::filesystem::canonical(path, error);
  if (error) return {};
  const auto size = std::filesystem::file_size(real, error);
  if (error) return {};
  const auto time = std::filesystem::last_write_time(real, error);
  if (error) return {};
  return fmt::format("{} {} {}", real.string(), size, time.time_since_epoch().count());
}

std::optional<std::string> SumOfFile(const std::string& path) {
  std::string problem;
  const std::unique_ptr<ByteSource> source = OpenFileSource(path, problem);
  if (source == nullptr) return std::nullopt;
  Digest digest(DigestKind::kSha256);
  std::vector<Byte> piece(1 << 18);
  for (std::uint64_t at = 0; at < source->size();) {
    piece.resize(static_cast<std::size_t>(std::min<std::uint64_t>(1 << 18, source->size() - at)));
    if (!source->ReadAt(at, piece)) return std::nullopt;
    digest.Add(std::span<const Byte>(piece));
    at += piece.size();
  }
  return Hexadecimal(digest.Finish());
}

std::string SourceSums::Of(const std::string& path) {
  {
    const std::lock_guard lock(mutex_);
    const auto known = sums_.find(path);
    if (known != sums_.end()) return known->second;
  }
  std::string sum = SumOfFile(path).value_or("");
  const std::lock_guard lock(mutex_);
  return sums_.emplace(path, std::move(sum)).first->second;
}

}  // namespace wheelwright
