// CRC-32C (Castagnoli), which S3 checks uploads by: at memory speed, where SHA-256 is not.
#pragma once

#include <cstdint>
#include <span>

#include "runtime/platform/byte_source.h"

namespace wheelwright {

// The sum of bytes behind others, whose sum was `crc`; 0 for none.
std::uint32_t Crc32c(std::uint32_t crc, std::span<const Byte> bytes);

}  // namespace wheelwright
