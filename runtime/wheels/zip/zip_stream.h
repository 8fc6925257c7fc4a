// Contents of a zip archive's entries, a piece at a time: memory does not grow with the entry.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "runtime/wheels/zip/zip_archive.h"

namespace wheelwright {

// Unpacks one entry after the other. Of use to one thread at a time.
class ZipStream {
 public:
  ZipStream();
  ZipStream(const ZipStream&) = delete;
  ZipStream& operator=(const ZipStream&) = delete;
  ~ZipStream();

  // Both are borrowed until the next Start().
  void Start(const ByteSource& source, const ZipEntry& entry);

  // The next piece; empty at the end, and when something is wrong: then problem() says what. No
  // entry gives more bytes than it declares, and the end is reached without a problem only when
  // size and CRC-32 are right and no packed byte is left over.
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

// A whole entry of at most `most` bytes. Nothing when it has more, or is broken; `problem` says
// why.
std::optional<std::string> ReadZipEntry(const ByteSource& source, const ZipEntry& entry,
                                        std::uint64_t most, std::string& problem);

}  // namespace wheelwright
