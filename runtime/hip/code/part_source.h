// A part of a file as a source of its own: an entry of an archive that is not packed.
#pragma once

#include <cstdint>
#include <span>

#include "base/platform/little_endian.h"

namespace wheelwright {

// `size` bytes of `whole`, which is borrowed, from `offset` on.
class PartSource : public ByteSource {
 public:
  PartSource(const ByteSource& whole, std::uint64_t offset, std::uint64_t size)
      : whole_(whole), offset_(offset), size_(size) {}

  std::uint64_t size() const override { return size_; }
  bool ReadAt(std::uint64_t offset, std::span<Byte> out) const override {
    return LiesWithin(offset, out.size(), size_) && whole_.ReadAt(offset_ + offset, out);
  }

 private:
  const ByteSource& whole_;
  std::uint64_t offset_, size_;
};

}  // namespace wheelwright
