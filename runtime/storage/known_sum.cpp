#include "runtime/storage/known_sum.h"

#include <fmt/format.h>

#include <memory>

#include "runtime/storage/part_plan.h"

namespace wheelwright {

std::string KnownSum::Of(const ByteSource& source) const {
  if (const DigestKind* digest = std::get_if<DigestKind>(&kind)) {
    return SumOf(*digest, source, 0, source.size());
  }
  const std::optional<std::uint64_t> crc = CrcOf(std::get<CrcKind>(kind), source);
  return crc ? fmt::format("{:x}", *crc) : std::string();
}

std::optional<KnownSum> KnownSumOf(const ObjectInfo& object) {
  if (!object.sha256.empty()) return KnownSum{DigestKind::kSha256, "SHA-256", object.sha256};
  if (object.crc) {
    const CrcKind kind = object.crc->kind;
    return KnownSum{kind, NameOf(kind), fmt::format("{:x}", object.crc->value)};
  }
  const std::string_view etag = object.version;
  const bool md5 = etag.size() == 34 && etag.starts_with('"') && etag.ends_with('"') &&
                   etag.find_first_not_of("0123456789abcdef", 1) == 33;
  if (!md5) return std::nullopt;
  return KnownSum{DigestKind::kMd5, "MD5", std::string(etag.substr(1, 32))};
}

std::optional<bool> HoldsSame(const ObjectInfo& object, const std::string& path) {
  const std::optional<KnownSum> known = KnownSumOf(object);
  if (!known) return std::nullopt;
  std::string problem;
  const std::unique_ptr<ByteSource> source = OpenFileSource(path, problem);
  return source && source->size() == object.size && known->Of(*source) == known->sum;
}

}  // namespace wheelwright
