// A compressed file of a wheel, which is decompressed once if possible.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "base/platform/byte_source.h"
#include "runtime/hip/code/device_code.h"
#include "runtime/wheels/zip/zip_stream.h"

namespace wheelwright {

// Random access to a deflated entry. Keeps its beginning and a window of the bytes that were
// decompressed last; a read before the window starts again from the front, which is refused after
// a few times. For one thread at a time.
class EntryStream : public ByteSource {
 public:
  // Both are borrowed.
  EntryStream(const ByteSource& archive, const ZipEntry& entry);

  std::uint64_t size() const override { return entry_.size; }
  bool ReadAt(std::uint64_t offset, std::span<Byte> out) const override;

  // Up to `most` bytes from `offset` on, without a copy; valid until the next call. Empty at the
  // end and when it cannot be decompressed.
  std::span<const Byte> View(std::uint64_t offset, std::size_t most) const;

  // Why it could not be decompressed; "" when it could.
  const std::string& problem() const { return stream_.problem(); }

 private:
  static constexpr std::size_t kHead = 4096;
  static constexpr std::size_t kWindow = 4 << 20;
  static constexpr int kMostRestarts = 8;

  bool Reach(std::uint64_t offset, std::uint64_t end) const;

  const ByteSource& archive_;
  const ZipEntry& entry_;
  // Mutable because ReadAt() is const, which hides the position of the stream.
  mutable ZipStream stream_;
  mutable std::vector<Byte> head_;
  mutable std::vector<Byte> window_;
  mutable std::uint64_t window_begin_ = 0;
  mutable int restarts_ = 0;
};

// The result of one pass over an ELF file. Its section table is at its end, so a scan for names and
// magic numbers tells earlier whether the table has to be read at all.
struct EntryScan {
  // Whether names of sections with GPU code, or containers, occur in it. If not, it has no such
  // section.
  bool may_hold_code = false;
  std::vector<BundleChain> chains;
};
EntryScan ScanElf(const EntryStream& stream, UnpackBudget& budget);

}  // namespace wheelwright
