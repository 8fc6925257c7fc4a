// Unpacks zlib and zstd a piece at a time.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>

#include "runtime/host/platform/byte_source.h"

namespace wheelwright {

class Unpacker {
 public:
  enum class State : std::uint8_t { kMore, kEnd, kBroken };

  virtual ~Unpacker() = default;

  // Takes bytes from the front of `packed` and writes to the front of `out`; both are left with
  // what remains of them. Unless it is broken or at its end, it takes all or fills all.
  virtual State Step(std::span<const Byte>& packed, std::span<Byte>& out) = 0;
};

// `method`: "zlib" or "zstd".
std::unique_ptr<Unpacker> MakeUnpacker(std::string_view method);

}  // namespace wheelwright
