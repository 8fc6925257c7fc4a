// Numbers in the order in which the containers and object files of AMD's GPUs have them.
#pragma once

#include <cstdint>
#include <span>

#include "runtime/host/platform/byte_source.h"

namespace wheelwright {

// The number at `offset`, which must lie in `bytes` as a whole.
template <typename Number>
Number LittleEndian(std::span<const Byte> bytes, std::size_t offset) {
  std::uint64_t number = 0;
  for (std::size_t i = 0; i < sizeof(Number); ++i) {
    number |= std::uint64_t{bytes[offset + i]} << (8 * i);
  }
  return static_cast<Number>(number);
}

// Whether `size` bytes from `offset` on lie below `end`. Sums of hostile numbers overflow.
inline bool LiesWithin(std::uint64_t offset, std::uint64_t size, std::uint64_t end) {
  return offset <= end && size <= end - offset;
}

}  // namespace wheelwright
