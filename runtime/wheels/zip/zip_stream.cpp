#include "runtime/wheels/zip/zip_stream.h"

#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <array>
#include <new>

#include "base/text.h"
#include "runtime/store/digest/crc.h"

namespace wheelwright {

// zlib, because Python's installers use it and accept the same streams. libdeflate is faster but
// needs the whole entry in memory; ISA-L is not in Debian as a static library, and accepts streams
// that zlib refuses.
struct ZipStream::Inflater {
  z_stream stream{};
  std::array<Byte, 128 * 1024> packed{};
  std::array<Byte, 256 * 1024> unpacked{};
};

ZipStream::ZipStream() : inflater_(std::make_unique<Inflater>()) {
  constexpr int kRawDeflate = -15;
  if (inflateInit2(&inflater_->stream, kRawDeflate) != Z_OK) throw std::bad_alloc();
}

ZipStream::~ZipStream() { inflateEnd(&inflater_->stream); }

void ZipStream::Start(const ByteSource& source, const ZipEntry& entry) {
  source_ = &source;
  entry_ = &entry;
  read_ = given_ = 0;
  crc_ = 0;
  ended_ = false;
  problem_.clear();
  inflateReset(&inflater_->stream);
  inflater_->stream.avail_in = 0;
}

std::span<const Byte> ZipStream::Fail(std::string problem) {
  ended_ = true;
  problem_ = std::move(problem);
  return {};
}

// Reads the next packed bytes.
bool ZipStream::Fill() {
  const std::size_t length = static_cast<std::size_t>(
      std::min<std::uint64_t>(inflater_->packed.size(), entry_->packed - read_));
  const std::span<Byte> into(inflater_->packed.data(), length);
  if (length == 0 || !source_->ReadAt(entry_->data + read_, into)) return false;
  read_ += length;
  inflater_->stream.next_in = into.data();
  inflater_->stream.avail_in = static_cast<uInt>(length);
  return true;
}

std::span<const Byte> ZipStream::Next() {
  if (ended_) return {};
  const std::span<const Byte> piece = entry_->deflated ? NextInflated() : NextStored();
  if (piece.empty()) return piece;
  given_ += piece.size();
  crc_ = static_cast<std::uint32_t>(Crc(CrcKind::kCrc32, crc_, piece));
  return piece;
}

std::span<const Byte> ZipStream::NextStored() {
  if (read_ == entry_->packed) return Finish();
  if (!Fill()) return Fail("its bytes cannot be read");
  return {inflater_->stream.next_in, inflater_->stream.avail_in};
}

std::span<const Byte> ZipStream::NextInflated() {
  z_stream& stream = inflater_->stream;
  stream.next_out = inflater_->unpacked.data();
  stream.avail_out = static_cast<uInt>(inflater_->unpacked.size());
  int result = Z_OK;
  while (stream.avail_out > 0 && result != Z_STREAM_END) {
    if (stream.avail_in == 0 && read_ < entry_->packed && !Fill()) {
      return Fail("its bytes cannot be read");
    }
    result = inflate(&stream, Z_NO_FLUSH);
    if (result == Z_BUF_ERROR) return Fail("its packed data ends too early");
    if (result != Z_OK && result != Z_STREAM_END) return Fail("its packed data is broken");
  }
  const std::size_t length = inflater_->unpacked.size() - stream.avail_out;
  if (length > entry_->size - given_) {
    return Fail(fmt::format("it unpacks to more than the {} that it declares",
                            Count(static_cast<std::size_t>(entry_->size), "byte")));
  }
  if (length == 0) return Finish();
  return {inflater_->unpacked.data(), length};
}

std::span<const Byte> ZipStream::Finish() {
  ended_ = true;
  if (entry_->deflated && (inflater_->stream.avail_in > 0 || read_ < entry_->packed)) {
    return Fail("packed bytes are left over behind its data");
  }
  if (given_ != entry_->size) {
    return Fail(fmt::format("it unpacks to {}, not to the {} that it declares",
                            Count(static_cast<std::size_t>(given_), "byte"),
                            WithThousands(entry_->size)));
  }
  if (crc_ != entry_->crc) {
    return Fail(fmt::format("its CRC-32 is {:08x}, not {:08x} as it declares", crc_, entry_->crc));
  }
  return {};
}

std::optional<std::string> ReadZipEntry(const ByteSource& source, const ZipEntry& entry,
                                        std::uint64_t most, std::string& problem) {
  if (entry.size > most) {
    problem = fmt::format("it declares {} bytes, more than {}", WithThousands(entry.size),
                          WithThousands(most));
    return std::nullopt;
  }
  ZipStream stream;
  stream.Start(source, entry);
  std::string text;
  for (auto piece = stream.Next(); !piece.empty(); piece = stream.Next()) {
    text.append(reinterpret_cast<const char*>(piece.data()), piece.size());
  }
  problem = stream.problem();
  if (!problem.empty()) return std::nullopt;
  return text;
}

}  // namespace wheelwright
