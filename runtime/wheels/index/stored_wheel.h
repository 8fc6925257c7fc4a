// What a wheel in a store says of itself, read without fetching the wheel.
#pragma once

#include <cstdint>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/host/platform/byte_source.h"
#include "runtime/store/storage/storage.h"

namespace wheelwright {

// An object of a store as bytes. What is asked for is read in pieces of 64 kB at least and kept, so
// that what lies together, such as the end of an archive, is one request. Throws StorageError.
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

// Reads METADATA out of a wheel, whose name is `file`: a few requests of kilobytes, however large
// the wheel is. Refuses one that is about another project or version than the name says.
WheelMetadata ReadStoredMetadata(const ByteSource& wheel, std::string_view file);

// The same from its text.
WheelMetadata ReadMetadataText(std::string text, std::string_view file);

// A text as it may stand in a page: on one line, without control characters; else "".
std::string OnOneLine(std::string_view value);

}  // namespace wheelwright
