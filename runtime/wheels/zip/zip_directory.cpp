#include "runtime/wheels/zip/zip_directory.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/quote.h"
#include "base/text.h"
#include "runtime/wheels/zip/zip_records.h"

namespace wheelwright {
namespace {

using namespace zip;  // NOLINT(google-build-using-namespace): the records that it is made of

constexpr std::uint32_t kDirectoryHeader = 0x02014b50;
constexpr std::uint32_t kEnd = 0x06054b50;
constexpr std::uint32_t kEnd64 = 0x06064b50;
constexpr std::uint32_t kLocator64 = 0x07064b50;
constexpr std::size_t kDirectorySize = 46, kEndSize = 22, kEnd64Size = 56, kLocator64Size = 20;
constexpr std::uint32_t kIn64 = 0xFFFFFFFF;  // "see the zip64 record"

// The largest wheels have some 20,000 entries and a directory of 3 MB.
constexpr std::uint64_t kMostEntries = 1'000'000;
constexpr std::uint64_t kMostDirectory = 64 << 20;
// Deflate gives at most 258 bytes for every two bits.
constexpr std::uint64_t kMostInflation = 1032;
// Of the format that an unpacker needs: 6.3, the MAX_EXTRACT_VERSION of Python's zipfile.
constexpr unsigned kNewestVersion = 63;

struct End {
  std::uint64_t entries = 0;
  std::uint64_t begin = 0;  // of the directory
  std::uint64_t end = 0;
};

class DirectoryReader {
 public:
  DirectoryReader(const ByteSource& source, std::vector<ZipFault>& faults)
      : source_(source), faults_(faults) {}

  std::optional<ZipDirectory> Read() {
    const std::optional<End> end = FindEnd();
    if (!end || !ReadAll(*end)) return std::nullopt;
    directory_.begin = end->begin;
    return std::move(directory_);
  }

 private:
  void Fault(std::string_view code, std::string message, std::string_view hint = {}) {
    faults_.push_back({code, std::move(message), std::string(hint)});
  }

  std::nullopt_t Broken(std::string message, std::string_view hint = {}) {
    Fault("zip-broken", std::move(message), hint);
    return std::nullopt;
  }

  void EntryFault(std::size_t index, std::string_view code, std::string message,
                  std::string_view hint = {}) {
    directory_.EntryFault(index, faults_, code, std::move(message), hint);
  }

  std::optional<End> FindEnd() {
    const std::uint64_t size = source_.size();
    if (size < kEndSize) return Broken("it is no zip archive: it is too short");
    const std::size_t tail_size =
        static_cast<std::size_t>(std::min<std::uint64_t>(size, kEndSize + 0xFFFF));
    std::vector<Byte> tail(tail_size);
    if (!source_.ReadAt(size - tail_size, tail)) return Broken("its end cannot be read");
    std::size_t at = tail_size - kEndSize;
    while (U32(&tail[at]) != kEnd) {
      if (at-- == 0) {
        return Broken("it is no zip archive: it has no central directory",
                      "was it copied or written only in part?");
      }
    }
    const Byte* record = &tail[at];
    const std::uint64_t behind = tail_size - at - kEndSize;
    const std::uint64_t comment = U16(record + 20);
    if (behind != comment) {
      Fault("zip-stray-bytes",
            behind > comment ? fmt::format("{} behind the end of the archive",
                                           behind - comment == 1
                                               ? "1 byte stands"
                                               : fmt::format("{} bytes stand", behind - comment))
                             : "its last comment is cut off");
    }
    End end{.entries = U16(record + 10), .begin = U32(record + 16), .end = size - tail_size + at};
    const std::uint64_t directory_size = U32(record + 12);
    if (U16(record + 4) != 0 || U16(record + 6) != 0 || U16(record + 8) != end.entries) {
      return Broken("it is one part of an archive in several");
    }
    std::uint64_t said = directory_size;
    if (at >= kLocator64Size && U32(record - kLocator64Size) == kLocator64) {
      if (!ReadEnd64(record - kLocator64Size, end, said)) return std::nullopt;
    }
    if (end.begin > end.end || said != end.end - end.begin) {
      return Broken(
          fmt::format("its directory should be {} bytes from byte {} on, but ends before byte {}",
                      said, end.begin, end.end),
          "does the file have data in front of the archive?");
    }
    if (said > kMostDirectory || end.entries > kMostEntries) {
      return Broken(fmt::format("its directory of {} bytes is for more entries than any wheel has",
                                WithThousands(said)));
    }
    return end;
  }

  // Reads the directory's place from the zip64 record, which must agree with the other record.
  bool ReadEnd64(const Byte* locator, End& end, std::uint64_t& directory_size) {
    const std::uint64_t where = U64(locator + 8);
    std::vector<Byte> record(kEnd64Size);
    if (end.end < kLocator64Size + kEnd64Size || where != end.end - kLocator64Size - kEnd64Size ||
        !source_.ReadAt(where, record) || U32(record.data()) != kEnd64 ||
        U64(&record[4]) != kEnd64Size - 12) {
      Broken("its zip64 record is not where its locator says");
      return false;
    }
    if (U32(&record[16]) != 0 || U32(&record[20]) != 0 || U64(&record[24]) != U64(&record[32])) {
      Broken("it is one part of an archive in several");
      return false;
    }
    const std::uint64_t entries = U64(&record[32]), size = U64(&record[40]),
                        begin = U64(&record[48]);
    if ((end.entries != 0xFFFF && end.entries != entries) ||
        (directory_size != kIn64 && directory_size != size) ||
        (end.begin != kIn64 && end.begin != begin)) {
      Broken("its two end records differ");
      return false;
    }
    end = {.entries = entries, .begin = begin, .end = where};
    directory_size = size;
    return true;
  }

  bool ReadAll(const End& end) {
    std::vector<Byte> bytes(static_cast<std::size_t>(end.end - end.begin));
    if (!source_.ReadAt(end.begin, bytes)) {
      Broken("its directory cannot be read");
      return false;
    }
    const Byte* at = bytes.data();
    const Byte* const stop = at + bytes.size();
    while (at != stop) {
      const auto left = static_cast<std::size_t>(stop - at);
      std::size_t length = kDirectorySize;
      if (left >= length) length += std::size_t{U16(at + 28)} + U16(at + 30) + U16(at + 32);
      if (left < length || U32(at) != kDirectoryHeader) {
        Broken(fmt::format("its directory is broken behind {}",
                           Count(directory_.entries.size(), "entry", "entries")));
        return false;
      }
      ReadDirectoryHeader(at);
      at += length;
    }
    if (directory_.entries.size() != end.entries) {
      Broken(fmt::format("its directory holds {}, not the {} that its end record says",
                         Count(directory_.entries.size(), "entry", "entries"), end.entries));
      return false;
    }
    return true;
  }

  void ReadDirectoryHeader(const Byte* at) {
    Account account{.flags = U16(at + 8),
                    .method = U16(at + 10),
                    .crc = U32(at + 16),
                    .packed = U32(at + 20),
                    .size = U32(at + 24),
                    .header = U32(at + 42)};
    const std::size_t name_size = U16(at + 28);
    account.name = {reinterpret_cast<const char*>(at + kDirectorySize), name_size};
    ReadExtra(at + kDirectorySize + name_size, U16(at + 30), true, account);

    const std::size_t index = directory_.entries.size();
    directory_.entries.push_back({.name = std::string(account.name),
                                  .folder = account.name.ends_with('/'),
                                  .deflated = account.method == 8,
                                  .crc = account.crc,
                                  .packed = account.packed,
                                  .size = account.size,
                                  .header = account.header});
    directory_.flags.push_back(account.flags);
    const std::string name = Quoted(account.name);
    if (!account.problem.empty()) {
      EntryFault(index, "zip-broken", fmt::format("{}: {}", name, account.problem));
    }
    if ((account.flags & (kEncrypted | kPatch | kStronglyEncrypted | kMasked)) != 0) {
      EntryFault(index, "zip-method", fmt::format("{} is encrypted", name));
    } else if (const unsigned needs = U16(at + 6) & 0xFFU; needs > kNewestVersion) {
      EntryFault(index, "zip-method",
                 fmt::format("{} needs version {}.{} of the format", name, needs / 10, needs % 10),
                 "Python's zipfile, which installers use, reads up to 6.3");
    } else if (account.method != 0 && account.method != 8) {
      EntryFault(index, "zip-method",
                 fmt::format("{} is packed by method {}", name, account.method),
                 "installers read method 0 (stored) and 8 (deflate)");
    } else if (account.method == 0 && account.packed != account.size) {
      EntryFault(index, "zip-size",
                 fmt::format("{} is stored in {} bytes but declares {}", name, account.packed,
                             account.size));
    } else if (account.size / kMostInflation > account.packed) {
      EntryFault(index, "zip-size",
                 fmt::format("{} declares {} bytes, more than its {} packed bytes can hold", name,
                             WithThousands(account.size), WithThousands(account.packed)));
    } else if (directory_.entries[index].folder && account.size != 0) {
      EntryFault(index, "zip-size", fmt::format("{} is a folder with contents", name));
    }
    CheckKind(index, U16(at + 4), U32(at + 38));
  }

  // Checks the file type that unpackers on Unix would create.
  void CheckKind(std::size_t index, std::uint16_t made_by, std::uint32_t attributes) {
    constexpr std::uint32_t kUnix = 3, kMask = 0170000, kLink = 0120000, kFile = 0100000,
                            kFolder = 0040000;
    if (made_by >> 8 != kUnix) return;
    const std::uint32_t kind = (attributes >> 16) & kMask;
    ZipEntry& entry = directory_.entries[index];
    entry.mode = attributes >> 16;
    if (kind == 0 || kind == (entry.folder ? kFolder : kFile)) return;
    EntryFault(index, "zip-link",
               fmt::format("{} is {}", Quoted(entry.name),
                           kind == kLink ? "a symbolic link" : "neither a file nor a folder"),
               "installers write a file with the link's target in it, or the link");
  }

  const ByteSource& source_;
  std::vector<ZipFault>& faults_;
  ZipDirectory directory_;
};

}  // namespace

void ZipDirectory::EntryFault(std::size_t index, std::vector<ZipFault>& faults,
                              std::string_view code, std::string message, std::string_view hint) {
  entries[index].readable = false;
  faults.push_back({code, std::move(message), std::string(hint)});
}

std::optional<ZipDirectory> ReadZipDirectory(const ByteSource& source,
                                             std::vector<ZipFault>& faults) {
  return DirectoryReader(source, faults).Read();
}

}  // namespace wheelwright
