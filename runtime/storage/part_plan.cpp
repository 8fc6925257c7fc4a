#include "runtime/storage/part_plan.h"

#include <algorithm>
namespace wheelwright {
namespace {

constexpr std::uint64_t kPiece = std::uint64_t{256} << 10;  // fits a processor's cache
constexpr std::uint64_t kMebibyte = std::uint64_t{1} << 20;

// Shows the bytes to `visit`, a piece at a time.
template <typename Visit>
bool Read(const ByteSource& source, std::uint64_t offset, std::uint64_t length,
          const Visit& visit) {
  std::vector<Byte> buffer(static_cast<std::size_t>(std::min(kPiece, length)));
  while (length > 0) {
    const auto piece = std::span(buffer).first(std::min<std::uint64_t>(buffer.size(), length));
    if (!source.ReadAt(offset, piece)) return false;
    visit(std::span<const Byte>(piece));
    offset += piece.size();
    length -= piece.size();
  }
  return true;
}

std::string BigEndian(std::uint64_t value) {
  std::string bytes;
  for (const int shift : {24, 16, 8, 0}) bytes += static_cast<char>(value >> shift & 255);
  return bytes;
}

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
        Read(source, plan.OffsetOf(i), plan.LengthOf(i), [&](std::span<const Byte> piece) {
          sha256.Add(piece);
          crc = Crc(CrcKind::kCrc32c, crc, piece);
        });
    if (!read) return false;
    sums.crc32c.push_back(Base64(BigEndian(crc)));
    sums.whole.value = JoinedCrc(CrcKind::kCrc32c, sums.whole.value, crc, plan.LengthOf(i));
  }
  sums.sha256 = Hexadecimal(sha256.Finish());
  return true;
}

std::string SumOf(DigestKind kind, const ByteSource& source, std::uint64_t offset,
                  std::uint64_t length) {
  Digest digest(kind);
  const bool read =
      Read(source, offset, length, [&](std::span<const Byte> piece) { digest.Add(piece); });
  return read ? Hexadecimal(digest.Finish()) : std::string();
}

std::optional<std::uint64_t> CrcOf(CrcKind kind, const ByteSource& source) {
  std::uint64_t crc = 0;
  const bool read = Read(source, 0, source.size(),
                         [&](std::span<const Byte> piece) { crc = Crc(kind, crc, piece); });
  return read ? std::optional(crc) : std::nullopt;
}

}  // namespace wheelwright
