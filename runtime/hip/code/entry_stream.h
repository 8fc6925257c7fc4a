// A packed file of a wheel, read from front to back once as far as that goes.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "runtime/hip/code/device_code.h"
#include "runtime/host/platform/byte_source.h"
#include "runtime/wheels/zip/zip_stream.h"

namespace wheelwright {

// Gives access to any place of a deflated entry. Its beginning and a window of what was unpacked
// last are kept; going back further unpacks from the front again, which is done a few times at
// most, and then refused. Of use to one thread at a time.
class EntryStream : public ByteSource {
 public:
  // Both are borrowed.
  EntryStream(const ByteSource& archive, const ZipEntry& entry);

  std::uint64_t size() const override { return entry_.size; }
  bool ReadAt(std::uint64_t offset, std::span<Byte> out) const override;

  // Up to `most` bytes from `offset` on, in place, until the next call. Empty at the end and when
  // it cannot be unpacked.
  std::span<const Byte> View(std::uint64_t offset, std::size_t most) const;

  // Why it could not be unpacked; "" when it could.
  const std::string& problem() const { return stream_.problem(); }

 private:
  static constexpr std::size_t kHead = 4096;
  static constexpr std::size_t kWindow = 4 << 20;
  static constexpr int kMostRestarts = 8;

  bool Reach(std::uint64_t offset, std::uint64_t end) const;

  const ByteSource& archive_;
  const ZipEntry& entry_;
  // Reading is what a ByteSource does; that it moves on is of no concern to who reads.
  mutable ZipStream stream_;
  mutable std::vector<Byte> head_;
  mutable std::vector<Byte> window_;
  mutable std::uint64_t window_begin_ = 0;
  mutable int restarts_ = 0;
};

// What one pass over an ELF file tells, whose table of sections stands at its end.
struct EntryScan {
  // Whether the names of sections with code for GPUs, or what they hold, occur in it at all. If
  // not, there is no such section.
  bool suspicious = false;
  std::vector<BundleChain> chains;
};
EntryScan ScanElf(const EntryStream& stream, UnpackBudget& budget);

}  // namespace wheelwright
