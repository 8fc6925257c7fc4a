// The parts of a multipart upload, and their sums.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "base/platform/byte_source.h"
#include "runtime/store/digest/crc.h"

namespace wheelwright {

// https://docs.aws.amazon.com/AmazonS3/latest/userguide/qfacts.html
inline constexpr std::size_t kMostParts = 10'000;
inline constexpr std::uint64_t kLeastPart = std::uint64_t{5} << 20;
inline constexpr std::uint64_t kLargestPart = std::uint64_t{5} << 30;

struct PartPlan {
  std::uint64_t size = 0;  // of the whole, in bytes
  std::uint64_t part = 0;  // of each part but the last
  std::size_t count = 1;   // 1: no multipart upload

  std::uint64_t OffsetOf(std::size_t index) const { return index * part; }
  std::uint64_t LengthOf(std::size_t index) const;
};

// Parts of `wished` bytes, or larger if there would be more than 10,000.
PartPlan PlanParts(std::uint64_t size, std::uint64_t wished);

// Sums of a file, all from one pass over it. The server checks the parts against their sums, so it
// stores the bytes of the SHA-256 even if the file changes during the upload.
struct FileSums {
  std::string sha256;               // hexadecimal
  std::vector<std::string> crc32c;  // of each part, as headers write it: base 64
  WholeCrc whole;                   // CRC-32C of the whole file
};

// False when the file cannot be read.
bool SumParts(const ByteSource& source, const PartPlan& plan, FileSums& sums);

}  // namespace wheelwright
