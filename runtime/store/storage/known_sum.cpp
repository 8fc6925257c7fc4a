#include "runtime/store/storage/known_sum.h"

#include <memory>

#include "base/platform/byte_source.h"

namespace wheelwright {

std::optional<KnownSum> KnownSumOf(const ObjectInfo& object) {
  if (!object.sha256.empty()) return KnownSum{{DigestKind::kSha256}, object.sha256};
  if (object.crc) return KnownSumOf(*object.crc);
  return object.other_sum;
}

std::optional<bool> HoldsSame(const ObjectInfo& object, const std::string& path) {
  const std::optional<KnownSum> known = KnownSumOf(object);
  if (!known) return std::nullopt;
  std::string problem;
  const std::unique_ptr<ByteSource> source = OpenFileSource(path, problem);
  return source && source->size() == object.size &&
         SumOf(known->rule, *source, 0, object.size) == known->sum;
}

}  // namespace wheelwright
