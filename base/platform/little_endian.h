// Numbers in files: little-endian, as zip archives, ELF, COFF and containers of GPU code have them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "base/platform/byte_source.h"

namespace wheelwright {

// The number at `at`, which must be followed by as many bytes.
template <typename Number>
Number LittleEndian(const Byte* at) {
  std::uint64_t number = 0;
  for (std::size_t i = sizeof(Number); i-- > 0;) number = number << 8 | at[i];
  return static_cast<Number>(number);
}
inline std::uint16_t U16(const Byte* at) { return LittleEndian<std::uint16_t>(at); }
inline std::uint32_t U32(const Byte* at) { return LittleEndian<std::uint32_t>(at); }
inline std::uint64_t U64(const Byte* at) { return LittleEndian<std::uint64_t>(at); }

// The number at `offset`, which must lie in `bytes` as a whole.
inline std::uint16_t U16(std::span<const Byte> bytes, std::uint64_t offset) {
  return U16(bytes.data() + offset);
}
inline std::uint32_t U32(std::span<const Byte> bytes, std::uint64_t offset) {
  return U32(bytes.data() + offset);
}
inline std::uint64_t U64(std::span<const Byte> bytes, std::uint64_t offset) {
  return U64(bytes.data() + offset);
}

// Whether `size` bytes from `offset` on lie below `end`. Sums of hostile numbers overflow.
inline bool LiesWithin(std::uint64_t offset, std::uint64_t size, std::uint64_t end) {
  return offset <= end && size <= end - offset;
}

}  // namespace wheelwright
