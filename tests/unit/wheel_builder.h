// Archives and wheels made in memory, valid ones and ones with false declarations.
#pragma once

#include <zlib.h>

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/platform/byte_source.h"
#include "runtime/store/digest/digest.h"

namespace wheelwright {

inline std::string LittleEndian(std::uint64_t value, std::size_t bytes) {
  std::string out;
  for (std::size_t i = 0; i < bytes; ++i) out += static_cast<char>(value >> (8 * i) & 0xFF);
  return out;
}

inline std::string Deflated(std::string_view text) {
  z_stream stream{};
  deflateInit2(&stream, 6, Z_DEFLATED, -15, 8, Z_DEFAULT_STRATEGY);
  std::string out(deflateBound(&stream, static_cast<uLong>(text.size())), '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
  stream.avail_in = static_cast<uInt>(text.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  deflate(&stream, Z_FINISH);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  return out;
}

inline std::uint32_t Crc(std::string_view text) {
  return static_cast<std::uint32_t>(
      crc32(0, reinterpret_cast<const Bytef*>(text.data()), static_cast<uInt>(text.size())));
}

inline std::string Sha256(std::string_view text) {
  Digest digest(DigestKind::kSha256);
  digest.Add(text);
  return digest.Finish();
}

// An entry and the fields of its two headers, each of which may be set to a false value.
struct TestEntry {
  explicit TestEntry(std::string_view its_name, std::string_view text, bool deflate = true)
      : name(its_name),
        local_name(its_name),
        data(deflate ? Deflated(text) : std::string(text)),
        method(deflate ? 8 : 0),
        local_method(method),
        crc(Crc(text)),
        local_crc(crc),
        size(text.size()),
        local_size(size),
        packed(data.size()),
        local_packed(packed) {}

  std::string name, local_name;
  std::string data;
  std::uint16_t method, local_method;
  std::uint16_t flags = 0, local_flags = 0;
  std::uint32_t crc, local_crc;
  std::uint64_t size, local_size;
  std::uint64_t packed, local_packed;
  std::uint32_t mode = 0100644;
  std::uint16_t needs = 20;  // the version of the format, in the directory
  std::string extra, local_extra;
  std::string descriptor;    // after the data
  std::string before;        // before the header: bytes that belong to no entry
  std::int64_t header = -1;  // the header's offset in the directory; -1: the true one
};

struct TestZip {
  std::vector<TestEntry> entries;
  std::string front, before_directory, before_end, behind, comment;
  bool zip64 = false;
  std::int64_t count = -1;  // the number of entries in the end record; -1: the true one
};

inline std::string Packed(const TestZip& zip) {
  std::string out = zip.front, directory;
  for (const TestEntry& entry : zip.entries) {
    out += entry.before;
    const std::uint64_t header =
        entry.header >= 0 ? static_cast<std::uint64_t>(entry.header) : out.size();
    out += "PK\3\4" + LittleEndian(20, 2) + LittleEndian(entry.local_flags, 2) +
           LittleEndian(entry.local_method, 2) + LittleEndian(0x5CA10000, 4) +
           LittleEndian(entry.local_crc, 4) + LittleEndian(entry.local_packed, 4) +
           LittleEndian(entry.local_size, 4) + LittleEndian(entry.local_name.size(), 2) +
           LittleEndian(entry.local_extra.size(), 2) + entry.local_name + entry.local_extra +
           entry.data + entry.descriptor;
    directory += "PK\1\2" + LittleEndian(3 << 8 | 20, 2) + LittleEndian(entry.needs, 2) +
                 LittleEndian(entry.flags, 2) + LittleEndian(entry.method, 2) +
                 LittleEndian(0x5CA10000, 4) + LittleEndian(entry.crc, 4) +
                 LittleEndian(entry.packed, 4) + LittleEndian(entry.size, 4) +
                 LittleEndian(entry.name.size(), 2) + LittleEndian(entry.extra.size(), 2) +
                 LittleEndian(0, 6) + LittleEndian(std::uint64_t{entry.mode} << 16, 4) +
                 LittleEndian(header, 4) + entry.name + entry.extra;
  }
  out += zip.before_directory;
  const std::uint64_t begin = out.size();
  const std::uint64_t count =
      zip.count >= 0 ? static_cast<std::uint64_t>(zip.count) : zip.entries.size();
  out += directory + zip.before_end;
  if (zip.zip64) {
    const std::uint64_t end64 = out.size();
    out += "PK\6\6" + LittleEndian(44, 8) + LittleEndian(45, 2) + LittleEndian(45, 2) +
           LittleEndian(0, 8) + LittleEndian(count, 8) + LittleEndian(count, 8) +
           LittleEndian(directory.size(), 8) + LittleEndian(begin, 8);
    out += "PK\6\7" + LittleEndian(0, 4) + LittleEndian(end64, 8) + LittleEndian(1, 4);
  }
  const std::uint64_t full = zip.zip64 ? 0xFFFFFFFF : 0;
  out += "PK\5\6" + LittleEndian(0, 4) + LittleEndian(count | full, 2) +
         LittleEndian(count | full, 2) + LittleEndian(directory.size() | full, 4) +
         LittleEndian(begin | full, 4) + LittleEndian(zip.comment.size(), 2) + zip.comment;
  return out + zip.behind;
}

// A valid wheel. A test changes it between Good() and Packed() to make it invalid.
struct TestWheel {
  std::string file = "torch-2.10.0+rocm7.10.0-cp312-cp312-linux_x86_64.whl";
  std::string dist_info = "torch-2.10.0+rocm7.10.0.dist-info";
  std::vector<std::pair<std::string, std::string>> files;
  std::string metadata = "Metadata-Version: 2.1\nName: torch\nVersion: 2.10.0+rocm7.10.0\n\nBody\n";
  std::string wheel =
      "Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: false\nTag: "
      "cp312-cp312-linux_x86_64\n";
  std::string license = "The license\n";
  std::string record;  // made by MakeRecord()

  // The rows of RECORD for all files.
  void MakeRecord() {
    record.clear();
    for (const auto& [path, text] : All()) {
      if (path == dist_info + "/RECORD") continue;
      record +=
          path + ",sha256=" + Base64Url(Sha256(text)) + "," + std::to_string(text.size()) + "\n";
    }
    record += dist_info + "/RECORD,,\n";
  }

  std::vector<std::pair<std::string, std::string>> All() const {
    auto all = files;
    all.emplace_back(dist_info + "/METADATA", metadata);
    all.emplace_back(dist_info + "/WHEEL", wheel);
    all.emplace_back(dist_info + "/licenses/LICENSE", license);
    all.emplace_back(dist_info + "/RECORD", record);
    return all;
  }

  TestZip Zip() const {
    TestZip zip;
    for (const auto& [path, text] : All()) zip.entries.emplace_back(path, text);
    return zip;
  }
};

// A reader of bytes that it owns.
class OwnedSource : public ByteSource {
 public:
  explicit OwnedSource(std::string bytes) : bytes_(std::move(bytes)), view_(bytes_) {}

  std::uint64_t size() const override { return view_.size(); }
  bool ReadAt(std::uint64_t offset, std::span<Byte> out) const override {
    return view_.ReadAt(offset, out);
  }

 private:
  std::string bytes_;
  MemorySource view_;
};

}  // namespace wheelwright
