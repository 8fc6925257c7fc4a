#include "runtime/store/s3/part_plan.h"

#include <algorithm>

#include "runtime/store/digest/sum.h"

namespace wheelwright {
namespace {

constexpr std::uint64_t kMebibyte = std::uint64_t{1} << 20;

}  // namespace

std::uint64_t PartPlan::LengthOf(std::size_t index) const {
  return std::min(part, size - OffsetOf(index));
}

PartPlan PlanParts(std::uint64_t size, std::uint64_t wished) {
  const std::uint64_t least = (size + kMostParts - 1) / kMostParts;
  const std::uint64_t part = std::max(wished, (least + kMebibyte - 1) / kMebibyte * kMebibyte);
  const std::uint64_t count = std::max<std::uint64_t>((size + part - 1) / part, 1);
  return {size, part, static_cast<std::size_t>(count)};
}

bool SumParts(const ByteSource& source, const PartPlan& plan, FileSums& sums) {
  Digest sha256(DigestKind::kSha256);
  for (std::size_t i = 0; i < plan.count; ++i) {
    std::uint64_t crc = 0;
    const bool read =
        ReadPieces(source, plan.OffsetOf(i), plan.LengthOf(i), [&](std::span<const Byte> piece) {
          sha256.Add(piece);
          crc = Crc(CrcKind::kCrc32c, crc, piece);
        });
    if (!read) return false;
    sums.crc32c.push_back(Base64(BytesOf({CrcKind::kCrc32c, crc})));
    sums.whole.value = JoinedCrc(CrcKind::kCrc32c, sums.whole.value, crc, plan.LengthOf(i));
  }
  sums.sha256 = Hexadecimal(sha256.Finish());
  return true;
}

}  // namespace wheelwright
