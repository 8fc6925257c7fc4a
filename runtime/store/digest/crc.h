// The CRCs that S3 uses. They are much faster than SHA-256, and detect damage but not manipulation.
// https://docs.aws.amazon.com/AmazonS3/latest/userguide/checking-object-integrity-upload.html
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "base/platform/byte_source.h"

namespace wheelwright {

enum class CrcKind : std::uint8_t {
  kCrc64Nvme,  // S3 computes it when the client sent no sum
  kCrc32c,     // Castagnoli's, for which processors have an instruction
  kCrc32,      // of ISO 3309, as in ZIP
};

// For people: "CRC-32C".
std::string_view NameOf(CrcKind kind);

struct WholeCrc {
  CrcKind kind = CrcKind::kCrc32c;
  std::uint64_t value = 0;
  bool operator==(const WholeCrc&) const = default;
};

// The sum's bytes, highest first, as in headers and in sums of sums.
std::string BytesOf(const WholeCrc& crc);

// Continues the sum `before` (0 at the start) with more bytes.
std::uint64_t Crc(CrcKind kind, std::uint64_t before, std::span<const Byte> bytes);

// The sum of two concatenated runs of bytes from the sums of each, so that runs can be summed in
// the order in which they arrive.
std::uint64_t JoinedCrc(CrcKind kind, std::uint64_t first, std::uint64_t second,
                        std::uint64_t second_length);

}  // namespace wheelwright
