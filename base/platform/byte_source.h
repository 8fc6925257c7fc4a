// Random access to bytes, of a large file or in memory.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace wheelwright {

using Byte = unsigned char;

inline std::string_view AsText(std::span<const Byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

inline std::span<const Byte> AsBytes(std::string_view text) {
  return {reinterpret_cast<const Byte*>(text.data()), text.size()};
}

class ByteSource {
 public:
  virtual ~ByteSource() = default;

  virtual std::uint64_t size() const = 0;
  // Fills `out` from `offset` on. False when the range ends behind the end or the device fails.
  // Safe to call from several threads.
  virtual bool ReadAt(std::uint64_t offset, std::span<Byte> out) const = 0;
};

class MemorySource : public ByteSource {
 public:
  explicit MemorySource(std::string_view bytes) : bytes_(bytes) {}

  std::uint64_t size() const override { return bytes_.size(); }
  bool ReadAt(std::uint64_t offset, std::span<Byte> out) const override;

 private:
  std::string_view bytes_;  // borrowed
};

// Opens a regular file. Nothing when it cannot be read; `problem` says why then.
std::unique_ptr<ByteSource> OpenFileSource(const std::string& path, std::string& problem);

}  // namespace wheelwright
