// Reads the metadata of a wheel in a store without downloading the wheel.
#pragma once

#include <cstdint>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "base/platform/byte_source.h"
#include "runtime/store/storage/storage.h"

namespace wheelwright {

// An object of a store as bytes. Reads pieces of at least 64 kB and caches them, so that the end of
// an archive takes one request. Throws StorageError.
class StoredSource : public ByteSource {
 public:
  StoredSource(Storage& storage, std::string key, std::uint64_t size)
      : storage_(storage), key_(std::move(key)), size_(size) {}

  std::uint64_t size() const override { return size_; }
  bool ReadAt(std::uint64_t offset, std::span<Byte> out) const override;

 private:
  struct Piece {
    std::uint64_t offset;
    std::string bytes;
  };

  Storage& storage_;
  std::string key_;
  std::uint64_t size_;
  mutable std::mutex mutex_;
  mutable std::vector<Piece> pieces_;
};

struct WheelMetadata {
  std::string text;             // the file METADATA; empty when there is a problem
  std::string requires_python;  // "": not said
  std::string problem;          // why it is no wheel: "it is no zip archive". No full stop.
};

// Reads METADATA from the wheel `file` by a few small requests. Refuses metadata of another project
// or version than the file name says.
WheelMetadata ReadStoredMetadata(const ByteSource& wheel, std::string_view file);

// The same from its text.
WheelMetadata ReadMetadataText(std::string text, std::string_view file);

// The text if it may go into a page (one line, no control characters); else "".
std::string OnOneLine(std::string_view value);

}  // namespace wheelwright
