// Unpacks entries of a zip archive piece by piece, in constant memory.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "runtime/wheels/zip/zip_archive.h"

namespace wheelwright {

// Unpacks one entry after the other. Not safe to share between threads.
class ZipStream {
 public:
  ZipStream();
  ZipStream(const ZipStream&) = delete;
  ZipStream& operator=(const ZipStream&) = delete;
  ~ZipStream();

  // Both are borrowed until the next Start().
  void Start(const ByteSource& source, const ZipEntry& entry);

  // The next piece; empty at the end and on an error, which problem() describes. An entry never
  // gives more bytes than it declares; it is an error if size or CRC-32 differ or packed bytes are
  // left.
  std::span<const Byte> Next();
  const std::string& problem() const { return problem_; }

 private:
  struct Inflater;

  std::span<const Byte> Fail(std::string problem);
  bool Fill();
  std::span<const Byte> NextStored();
  std::span<const Byte> NextInflated();
  std::span<const Byte> Finish();

  std::unique_ptr<Inflater> inflater_;
  const ByteSource* source_ = nullptr;
  const ZipEntry* entry_ = nullptr;
  std::uint64_t read_ = 0;   // of the packed bytes
  std::uint64_t given_ = 0;  // of the unpacked ones
  std::uint32_t crc_ = 0;
  bool ended_ = false;
  std::string problem_;
};

// Reads a whole entry of at most `most` bytes. Nothing when it is larger or broken; `problem` says
// why.
std::optional<std::string> ReadZipEntry(const ByteSource& source, const ZipEntry& entry,
                                        std::uint64_t most, std::string& problem);

}  // namespace wheelwright
