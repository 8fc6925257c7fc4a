#include "runtime/wheel/zip_archive.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <unordered_set>

#include "base/quote.h"
#include "base/text.h"

namespace wheelwright {
namespace {

// https://pkware.cachefly.net/webdocs/casestudies/APPNOTE.TXT, sections 4.3 to 4.5.
constexpr std::uint32_t kLocalHeader = 0x04034b50;
constexpr std::uint32_t kDirectoryHeader = 0x02014b50;
constexpr std::uint32_t kDescriptor = 0x08074b50;
constexpr std::uint32_t kEnd = 0x06054b50;
constexpr std::uint32_t kEnd64 = 0x06064b50;
constexpr std::uint32_t kLocator64 = 0x07064b50;
constexpr std::size_t kLocalSize = 30, kDirectorySize = 46;
constexpr std::size_t kEndSize = 22, kEnd64Size = 56, kLocator64Size = 20;
constexpr std::uint16_t kZip64Extra = 0x0001, kUnicodePathExtra = 0x7075;
constexpr std::uint32_t kIn64 = 0xFFFFFFFF;  // "see the zip64 field"

constexpr std::uint16_t kEncrypted = 1, kDescribedBehind = 1 << 3, kPatch = 1 << 5,
                        kStronglyEncrypted = 1 << 6, kUtf8 = 1 << 11, kMasked = 1 << 13;
constexpr std::uint16_t kMeaningfulFlags =
    kEncrypted | kDescribedBehind | kPatch | kStronglyEncrypted | kUtf8 | kMasked;

// The largest wheels have some 20,000 entries and a directory of 3 MB.
constexpr std::uint64_t kMostEntries = 1'000'000;
constexpr std::uint64_t kMostDirectory = 64 << 20;
// One bit of deflated data gives at most 258 bytes for every two bits.
constexpr std::uint64_t kMostInflation = 1032;

std::uint64_t Number(const Byte* at, std::size_t bytes) {
  std::uint64_t value = 0;
  for (std::size_t i = bytes; i-- > 0;) value = value << 8 | at[i];
  return value;
}
std::uint16_t U16(const Byte* at) { return static_cast<std::uint16_t>(Number(at, 2)); }
std::uint32_t U32(const Byte* at) { return static_cast<std::uint32_t>(Number(at, 4)); }
std::uint64_t U64(const Byte* at) { return Number(at, 8); }

struct End {
  std::uint64_t entries = 0;
  std::uint64_t begin = 0;  // of the directory
  std::uint64_t end = 0;
};

// What one of the two accounts says of an entry.
struct Account {
  std::uint16_t flags = 0;
  std::uint16_t method = 0;
  std::uint32_t crc = 0;
  std::uint64_t packed = 0;
  std::uint64_t size = 0;
  std::uint64_t header = 0;
  std::string_view name;
  std::string problem;  // of its extra fields
};

class ZipReader {
 public:
  ZipReader(const ByteSource& source, std::vector<ZipFault>& faults)
      : source_(source), faults_(faults) {}

  std::optional<ZipArchive> Read() {
    const std::optional<End> end = FindEnd();
    if (!end) return std::nullopt;
    if (!ReadDirectory(*end)) return std::nullopt;
    for (std::size_t i = 0; i < archive_.entries.size(); ++i) ReadLocalHeader(i);
    CheckNames();
    CheckLayout(*end);
    return std::move(archive_);
  }

  std::optional<ZipEntry> ReadOnly(const std::function<bool(std::string_view)>& wanted) {
    const std::optional<End> end = FindEnd();
    if (!end || !ReadDirectory(*end)) return std::nullopt;
    std::optional<std::size_t> found;
    for (std::size_t i = 0; i < archive_.entries.size(); ++i) {
      if (!wanted(archive_.entries[i].name)) continue;
      if (found)
        return Broken(fmt::format("{} is not the only one", Quoted(archive_.entries[i].name)));
      found = i;
    }
    if (!found) return Broken("no entry has the name that is looked for");
    ReadLocalHeader(*found);
    const ZipEntry& entry = archive_.entries[*found];
    if (!entry.readable) return std::nullopt;
    if (entry.data > end->begin || entry.packed > end->begin - entry.data) {
      return Broken(fmt::format("{} reaches into the directory", Quoted(entry.name)));
    }
    return entry;
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
    archive_.entries[index].readable = false;
    Fault(code, std::move(message), hint);
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
          "does something stand in front of the archive?");
    }
    if (said > kMostDirectory || end.entries > kMostEntries) {
      return Broken(fmt::format("its directory of {} bytes is for more entries than any wheel has",
                                WithThousands(said)));
    }
    return end;
  }

  // The directory's place in 64 bits. Both records have to say the same where both say something.
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

  bool ReadDirectory(const End& end) {
    directory_.resize(static_cast<std::size_t>(end.end - end.begin));
    if (!source_.ReadAt(end.begin, directory_)) {
      Broken("its directory cannot be read");
      return false;
    }
    const Byte* at = directory_.data();
    const Byte* const stop = at + directory_.size();
    while (at != stop) {
      const auto left = static_cast<std::size_t>(stop - at);
      std::size_t length = kDirectorySize;
      if (left >= length) length += std::size_t{U16(at + 28)} + U16(at + 30) + U16(at + 32);
      if (left < length || U32(at) != kDirectoryHeader) {
        Broken(fmt::format("its directory is broken behind {}",
                           Count(archive_.entries.size(), "entry", "entries")));
        return false;
      }
      ReadDirectoryHeader(at);
      at += length;
    }
    if (archive_.entries.size() != end.entries) {
      Broken(fmt::format("its directory holds {}, not the {} that its end record says",
                         Count(archive_.entries.size(), "entry", "entries"), end.entries));
      return false;
    }
    return true;
  }

  // Fields of 32 bits that are full have their values in the zip64 field, in a fixed order.
  static void ReadExtra(const Byte* extra, std::size_t length, bool directory, Account& account) {
    bool seen64 = false;
    while (length > 0) {
      if (length < 4 || length - 4 < U16(extra + 2)) {
        account.problem = "its extra fields are broken";
        return;
      }
      const std::uint16_t id = U16(extra);
      const std::size_t size = U16(extra + 2);
      const Byte* field = extra + 4;
      if (id == kUnicodePathExtra) account.problem = "an extra field gives it a second name";
      if (id == kZip64Extra) {
        // In front of an entry both sizes are there or none; in the directory only what is full.
        const bool wants_size = account.size == kIn64, wants_packed = account.packed == kIn64;
        const bool both = !directory && (wants_size || wants_packed);
        const std::size_t wanted = 8 * (std::size_t{wants_size || both} + (wants_packed || both) +
                                        (directory && account.header == kIn64));
        if (seen64 || size != wanted) {
          account.problem = "its zip64 field does not hold what it should";
          return;
        }
        seen64 = true;
        if (wants_size) account.size = U64(field);
        if (wants_size || both) field += 8;
        if (wants_packed) account.packed = U64(field);
        if (wants_packed || both) field += 8;
        if (directory && account.header == kIn64) account.header = U64(field);
      }
      extra += 4 + size;
      length -= 4 + size;
    }
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

    const std::size_t index = archive_.entries.size();
    archive_.entries.push_back({.name = std::string(account.name),
                                .folder = account.name.ends_with('/'),
                                .deflated = account.method == 8,
                                .crc = account.crc,
                                .packed = account.packed,
                                .size = account.size,
                                .header = account.header});
    flags_.push_back(account.flags);
    const std::string name = Quoted(account.name);
    if (!account.problem.empty()) {
      EntryFault(index, "zip-broken", fmt::format("{}: {}", name, account.problem));
    }
    if ((account.flags & (kEncrypted | kPatch | kStronglyEncrypted | kMasked)) != 0) {
      EntryFault(index, "zip-method", fmt::format("{} is encrypted", name));
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
    } else if (archive_.entries[index].folder && account.size != 0) {
      EntryFault(index, "zip-size", fmt::format("{} is a folder with contents", name));
    }
    CheckKind(index, U16(at + 4), U32(at + 38));
  }

  // What an unpacker on Unix would make of it.
  void CheckKind(std::size_t index, std::uint16_t made_by, std::uint32_t attributes) {
    constexpr std::uint32_t kUnix = 3, kMask = 0170000, kLink = 0120000, kFile = 0100000,
                            kFolder = 0040000;
    if (made_by >> 8 != kUnix) return;
    const std::uint32_t kind = (attributes >> 16) & kMask;
    const ZipEntry& entry = archive_.entries[index];
    if (kind == 0 || kind == (entry.folder ? kFolder : kFile)) return;
    EntryFault(index, "zip-link",
               fmt::format("{} is {}", Quoted(entry.name),
                           kind == kLink ? "a symbolic link" : "neither a file nor a folder"),
               "installers write a file with the link's target in it, or the link");
  }

  void ReadLocalHeader(std::size_t index) {
    ZipEntry& entry = archive_.entries[index];
    const std::string name = Quoted(entry.name);
    Byte head[kLocalSize];
    if (!source_.ReadAt(entry.header, head) || U32(head) != kLocalHeader) {
      EntryFault(index, "zip-broken", fmt::format("{} is not where the directory says", name));
      return;
    }
    const std::size_t name_size = U16(head + 26), extra_size = U16(head + 28);
    rest_.resize(name_size + extra_size);
    if (!source_.ReadAt(entry.header + kLocalSize, rest_)) {
      EntryFault(index, "zip-broken", fmt::format("the header of {} is cut off", name));
      return;
    }
    entry.data = entry.header + kLocalSize + rest_.size();
    Account local{.flags = U16(head + 6),
                  .method = U16(head + 8),
                  .crc = U32(head + 14),
                  .packed = U32(head + 18),
                  .size = U32(head + 22),
                  .name = {reinterpret_cast<const char*>(rest_.data()), name_size}};
    ReadExtra(rest_.data() + name_size, extra_size, false, local);
    if (!local.problem.empty()) {
      EntryFault(index, "zip-broken", fmt::format("{}: {}", name, local.problem));
      return;
    }
    // What is described behind the data may be left out in front of it.
    const bool behind = (flags_[index] & kDescribedBehind) != 0;
    const auto differs = [&](std::string_view what) {
      EntryFault(
          index, "zip-mismatch",
          fmt::format("{}: the directory and the entry's own header differ in the {}", name, what),
          "tools that believe the one unpack other files than tools that believe the other");
    };
    const auto number_differs = [behind](std::uint64_t mine, std::uint64_t own) {
      return mine != own && !(behind && mine == 0);
    };
    if (local.name != entry.name) return differs("name");
    if (((local.flags ^ flags_[index]) & kMeaningfulFlags) != 0) return differs("flags");
    if (local.method != (entry.deflated ? 8 : 0) && entry.readable) return differs("method");
    if (number_differs(local.packed, entry.packed)) return differs("packed size");
    if (number_differs(local.size, entry.size)) return differs("size");
    if (number_differs(local.crc, entry.crc)) return differs("CRC-32");
  }

  void CheckNames() {
    std::unordered_set<std::string_view> names, folders;
    for (std::size_t i = 0; i < archive_.entries.size(); ++i) {
      const ZipEntry& entry = archive_.entries[i];
      std::string_view name = entry.name;
      std::string problem = UnsafeNameProblem(name);
      if (problem.empty() && (flags_[i] & kUtf8) == 0 &&
          std::ranges::any_of(name, [](char c) { return (c & 0x80) != 0; })) {
        problem = "it is not ASCII, and not marked as UTF-8";
      }
      if (!problem.empty()) {
        EntryFault(i, "zip-name", fmt::format("{} is no safe name: {}", Quoted(name), problem));
      }
      if (entry.folder) name.remove_suffix(1);
      if (!names.insert(name).second) {
        EntryFault(i, "zip-duplicate", fmt::format("{} is there twice", Quoted(entry.name)),
                   "tools differ in which they take");
      }
      if (entry.folder) folders.insert(name);
      for (std::size_t slash = name.rfind('/'); slash != std::string_view::npos && slash > 0;
           slash = name.rfind('/', slash - 1)) {
        if (!folders.insert(name.substr(0, slash)).second) break;
      }
    }
    for (std::size_t i = 0; i < archive_.entries.size(); ++i) {
      const ZipEntry& entry = archive_.entries[i];
      if (entry.folder || !folders.contains(entry.name)) continue;
      EntryFault(i, "zip-duplicate",
                 fmt::format("{} is both a file and a folder", Quoted(entry.name)));
    }
  }

  // Every byte before the directory belongs to one entry.
  void CheckLayout(const End& end) {
    std::vector<std::size_t> order(archive_.entries.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::sort(order, {},
                      [&](std::size_t i) { return std::pair(archive_.entries[i].header, i); });
    std::uint64_t at = 0;
    for (std::size_t i = 0; i < order.size(); ++i) {
      const std::size_t index = order[i];
      const ZipEntry& entry = archive_.entries[index];
      const std::string name = Quoted(entry.name);
      if (entry.data == 0) continue;  // said already
      if (entry.header < at) {
        EntryFault(index, "zip-overlap", fmt::format("{} overlaps another entry", name),
                   "so a small archive unpacks to a huge one");
      } else if (entry.header > at) {
        Fault("zip-stray-bytes",
              fmt::format("no entry owns the {} before {}",
                          Count(static_cast<std::size_t>(entry.header - at), "byte"), name));
      }
      const std::uint64_t next =
          i + 1 < order.size() ? archive_.entries[order[i + 1]].header : end.begin;
      if (entry.data > end.begin || entry.packed > end.begin - entry.data) {
        EntryFault(index, "zip-overlap", fmt::format("{} reaches into the directory", name));
        at = end.begin;
        continue;
      }
      at = std::max(at, entry.data + entry.packed);
      if ((flags_[index] & kDescribedBehind) != 0) at += CheckDescriptor(index, next);
    }
    if (at < end.begin) {
      Fault("zip-stray-bytes",
            fmt::format("no entry owns the {} before the directory",
                        Count(static_cast<std::size_t>(end.begin - at), "byte")));
    }
  }

  // A descriptor has no fixed shape: a signature or none, sizes in 32 or 64 bits. What stands
  // between the data and whatever comes next decides. Returns its length.
  std::uint64_t CheckDescriptor(std::size_t index, std::uint64_t next) {
    const ZipEntry& entry = archive_.entries[index];
    const std::uint64_t begin = entry.data + entry.packed;
    const std::uint64_t length = next > begin ? next - begin : 0;
    Byte record[24];
    if ((length == 12 || length == 16 || length == 20 || length == 24) &&
        source_.ReadAt(begin, std::span(record, static_cast<std::size_t>(length)))) {
      const bool has_signature = length % 8 == 0;
      const std::size_t width = length >= 20 ? 8 : 4;
      const Byte* at = record + (has_signature ? 4 : 0);
      if ((!has_signature || U32(record) == kDescriptor) && U32(at) == entry.crc &&
          Number(at + 4, width) == entry.packed && Number(at + 4 + width, width) == entry.size) {
        return length;
      }
    }
    EntryFault(
        index, "zip-mismatch",
        fmt::format("{}: the directory and the record behind the data differ", Quoted(entry.name)),
        "tools that read from front to back see another file");
    return 0;
  }

  const ByteSource& source_;
  std::vector<ZipFault>& faults_;
  std::vector<Byte> directory_;
  std::vector<Byte> rest_;  // of a header
  std::vector<std::uint16_t> flags_;
  ZipArchive archive_;
};

}  // namespace

std::string UnsafeNameProblem(std::string_view name) {
  if (name.empty()) return "it is empty";
  if (FindForeignByte(name) || name.find_first_of("\t\n") != std::string_view::npos) {
    return "it holds a control character or is not UTF-8";
  }
  if (name.find('\\') != std::string_view::npos) return "it holds a backslash";
  if (name.find(':') != std::string_view::npos) return "it holds a colon, which names a drive";
  if (name.starts_with('/')) return "it is absolute";
  if (name.ends_with('/')) name.remove_suffix(1);
  for (const std::string_view part : Split(name, '/')) {
    if (part.empty()) return "it has an empty part";
    if (part == "." || part == "..") return fmt::format("it has a part '{}'", part);
  }
  return {};
}

std::optional<ZipArchive> ReadZip(const ByteSource& source, std::vector<ZipFault>& faults) {
  return ZipReader(source, faults).Read();
}

std::optional<ZipEntry> FindZipEntry(const ByteSource& source,
                                     const std::function<bool(std::string_view)>& wanted,
                                     std::vector<ZipFault>& faults) {
  return ZipReader(source, faults).ReadOnly(wanted);
}

}  // namespace wheelwright
