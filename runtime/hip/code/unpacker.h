// Decompresses zlib and zstd streams in pieces.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>

#include "base/platform/byte_source.h"

namespace wheelwright {

class Unpacker {
 public:
  enum class State : std::uint8_t { kMore, kEnd, kBroken };

  virtual ~Unpacker() = default;

  // Consumes `packed` and fills `out`; both then refer to what remains. Unless it returns kEnd or
  // kBroken, one of them is empty.
  virtual State Step(std::span<const Byte>& packed, std::span<Byte>& out) = 0;
};

// `method`: "zlib" or "zstd".
std::unique_ptr<Unpacker> MakeUnpacker(std::string_view method);

}  // namespace wheelwright
