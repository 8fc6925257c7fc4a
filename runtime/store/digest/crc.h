// The sums by which S3 checks what it stores, at memory speed, where SHA-256 is not. They tell
// damage, not deceit.
// https://docs.aws.amazon.com/AmazonS3/latest/userguide/checking-object-integrity-upload.html
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "runtime/host/platform/byte_source.h"

namespace wheelwright {

enum class CrcKind : std::uint8_t {
  kCrc64Nvme,  // which S3 computes where the client sent no sum
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

// A sum as headers and sums of sums have it: its highest byte first.
std::string BytesOf(const WholeCrc& crc);

// The sum of bytes behind others, whose sum was `before`; 0 for none.
std::uint64_t Crc(CrcKind kind, std::uint64_t before, std::span<const Byte> bytes);

// The sum of two runs of bytes, one behind the other, from the sums of each. So runs can be summed
// in any order, as they arrive.
std::uint64_t JoinedCrc(CrcKind kind, std::uint64_t first, std::uint64_t second,
                        std::uint64_t second_length);

}  // namespace wheelwright
