#include "runtime/wheels/native/native_library.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "base/platform/little_endian.h"

namespace wheelwright {
namespace {

// Holds the ELF header, and of nearly every library the segments.
constexpr std::size_t kHead = 4096;
constexpr std::uint64_t kMostTable = 256 * 1024;  // of segments, dynamic entries or versions

// https://refspecs.linuxfoundation.org/elf/gabi4+/ch5.dynamic.html#hash
std::uint32_t ElfHash(std::string_view name) {
  std::uint32_t hash = 0;
  for (const char c : name) {
    hash = (hash << 4) + static_cast<Byte>(c);
    const std::uint32_t high = hash & 0xF0000000;
    if (high != 0) hash ^= high >> 24;
    hash &= ~high;
  }
  return hash;
}

// Versions by hash. The table of needed versions has the hash of each name, so the string table,
// which may be tens of megabytes away, need not be read. The list includes future releases.
const std::map<std::uint32_t, std::string>& KnownVersions() {
  static const auto* const known = [] {
    auto* names = new std::map<std::uint32_t, std::string>;
    const auto add = [names](std::string name) {
      const std::uint32_t hash = ElfHash(name);
      names->emplace(hash, std::move(name));
    };
    for (unsigned minor = 0; minor < 100; ++minor) {
      add(fmt::format("GLIBC_2.{}", minor));
      for (unsigned patch = 1; patch < 7 && minor < 4; ++patch) {
        add(fmt::format("GLIBC_2.{}.{}", minor, patch));
      }
    }
    add("GLIBCXX_3.4");
    for (unsigned patch = 1; patch < 80; ++patch) add(fmt::format("GLIBCXX_3.4.{}", patch));
    return names;
  }();
  return *known;
}

}  // namespace

bool IsLibraryName(std::string_view path) {
  const std::size_t slash = path.rfind('/');
  const std::string_view name = slash == std::string_view::npos ? path : path.substr(slash + 1);
  for (const std::string_view suffix : {".so", ".pyd", ".dll", ".dylib"}) {
    if (name.ends_with(suffix) && name.size() > suffix.size()) return true;
  }
  const std::size_t so = name.rfind(".so.");
  return so != std::string_view::npos && so > 0 &&
         name.find_first_not_of("0123456789.", so + 4) == std::string_view::npos;
}

void NativeProbe::Feed(std::span<const Byte> bytes) {
  if (!have_head_) {
    const std::size_t length = std::min(kHead - held_.size(), bytes.size());
    held_.insert(held_.end(), bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(length));
    if (held_.size() == kHead) ReadHead();
  }
  const std::uint64_t begin = at_;
  at_ += bytes.size();
  // The next table may be in the same piece.
  while (wanted_) {
    const std::uint64_t next = want_offset_ + held_.size();
    if (next < begin || next >= at_) return;
    const std::uint64_t length = std::min(want_length_ - held_.size(), at_ - next);
    const std::span<const Byte> part =
        bytes.subspan(static_cast<std::size_t>(next - begin), static_cast<std::size_t>(length));
    held_.insert(held_.end(), part.begin(), part.end());
    if (held_.size() < want_length_) return;
    Captured();
  }
}

void NativeProbe::EndPass() {
  ++passes_;
  if (!have_head_) ReadHead();
  if (!wanted_) return;
  if (want_offset_ >= at_) {
    facts_.problem = "its tables lie behind its end";
    wanted_ = false;
    return;
  }
  const std::uint64_t there = at_ - want_offset_;
  if (want_length_ <= there) return;  // in the next pass
  if (step_ != Step::kVersions) {
    facts_.problem = "its tables reach over its end";
    wanted_ = false;
    return;
  }
  // The length of the table of versions was only an estimate.
  want_length_ = there;
  if (held_.size() == there) Captured();
}

void NativeProbe::Restart() {
  at_ = 0;
  held_.clear();
}

void NativeProbe::ReadHead() {
  have_head_ = true;
  head_ = std::exchange(held_, {});
  const ObjectFormat format = FormatOf(head_);
  if (format == ObjectFormat::kElf) ReadElf();
  if (format == ObjectFormat::kPe) ReadPe();
  if (format == ObjectFormat::kMachO) {
    facts_ = {.format = format, .bits = head_[0] == 0xcf ? 64u : 32u};
  }
}

void NativeProbe::ReadElf() {
  facts_.format = ObjectFormat::kElf;
  if (head_.size() < ElfHeader::kSize) {
    facts_.problem = "its header is cut off";
    return;
  }
  const ElfHeader elf = ReadElfHeader(std::span<const Byte>(head_).first<ElfHeader::kSize>());
  facts_.bits = elf.bits;
  facts_.little_endian = elf.little_endian;
  facts_.machine = elf.machine;
  const ElfTable& table = elf.segments;
  if (!versions_ || table.count == 0 || table.row_size != ElfSegment::kSize) return;
  Want(table.offset, table.row_size * table.count, Step::kSegments);
  if (LiesWithin(table.offset, want_length_, head_.size())) {
    held_.assign(head_.begin() + static_cast<std::ptrdiff_t>(table.offset),
                 head_.begin() + static_cast<std::ptrdiff_t>(table.offset + want_length_));
    Captured();
  }
}

void NativeProbe::ReadPe() {
  constexpr std::uint64_t kDosHeader = 0x40, kUntilMagic = 26;
  facts_.format = ObjectFormat::kPe;
  const std::uint64_t header = head_.size() < kDosHeader ? 0 : U32(head_, 0x3C);
  // Other programs for DOS start with MZ too.
  if (head_.size() < kDosHeader || !LiesWithin(header, kUntilMagic, head_.size()) ||
      U32(head_, header) != 0x00004550) {
    facts_.problem = "it starts like a Windows program but has no PE header";
    return;
  }
  facts_.machine = U16(head_, header + 4);
  const unsigned magic = U16(head_, header + 24);
  facts_.bits = magic == 0x20B ? 64 : magic == 0x10B ? 32 : 0;
}

void NativeProbe::Want(std::uint64_t offset, std::uint64_t length, Step step) {
  wanted_ = length > 0;
  step_ = step;
  held_.clear();
  want_offset_ = offset;
  want_length_ = std::min(length, kMostTable);
}

void NativeProbe::Captured() {
  wanted_ = false;
  switch (step_) {
    case Step::kSegments:
      ReadSegments();
      break;
    case Step::kDynamic:
      ReadDynamic();
      break;
    case Step::kVersions:
      ReadVersions();
      break;
    case Step::kHead:
    case Step::kDone:
      break;
  }
}

void NativeProbe::ReadSegments() {
  const std::vector<Byte> table = std::exchange(held_, {});
  ElfSegment dynamic;
  for (std::size_t at = 0; at + ElfSegment::kSize <= table.size(); at += ElfSegment::kSize) {
    const ElfSegment segment = ReadElfSegment(std::span(table).subspan(at));
    if (segment.type == ElfSegment::kLoad) segments_.push_back(segment);
    if (segment.type == ElfSegment::kDynamic) dynamic = segment;
  }
  if (dynamic.size > 0) Want(dynamic.offset, dynamic.size, Step::kDynamic);
}

void NativeProbe::ReadDynamic() {
  constexpr std::uint64_t kNull = 0, kVersionsNeeded = 0x6ffffffe, kVersionsCount = 0x6fffffff;
  const std::vector<Byte> table = std::exchange(held_, {});
  std::uint64_t address = 0, count = 0;
  for (std::uint64_t at = 0; at + 16 <= table.size(); at += 16) {
    const std::uint64_t tag = U64(table, at), value = U64(table, at + 8);
    if (tag == kNull) break;
    if (tag == kVersionsNeeded) address = value;
    if (tag == kVersionsCount) count = value;
  }
  if (address == 0 || count == 0) return;
  for (const ElfSegment& segment : segments_) {
    if (address < segment.address || address - segment.address >= segment.size) continue;
    const std::uint64_t inside = address - segment.address;
    // The table does not state its length. 64 KiB hold 4,000 versions; libraries need dozens.
    Want(segment.offset + inside, std::min<std::uint64_t>(segment.size - inside, 64 * 1024),
         Step::kVersions);
    return;
  }
}

void NativeProbe::ReadVersions() {
  const std::vector<Byte> table = std::exchange(held_, {});
  const auto& known = KnownVersions();
  std::uint64_t library = 0;
  for (unsigned guard = 0; guard < 4096 && library + 16 <= table.size(); ++guard) {
    std::uint64_t version = library + U32(table, library + 8);
    const std::uint64_t count = U16(table, library + 2);
    for (std::uint64_t i = 0; i < count && version + 16 <= table.size(); ++i) {
      const auto name = known.find(U32(table, version));
      if (name != known.end()) facts_.needed_versions.push_back(name->second);
      const std::uint64_t next = U32(table, version + 12);
      if (next == 0) break;
      version += next;
    }
    const std::uint64_t next = U32(table, library + 12);
    if (next == 0) break;
    library += next;
  }
  // Numeric order: "GLIBC_2.5" before "GLIBC_2.17".
  const auto key = [](const std::string& name) {
    std::vector<unsigned> numbers;
    for (std::size_t at = name.find('_'); at != std::string::npos; at = name.find('.', at + 1)) {
      numbers.push_back(static_cast<unsigned>(std::stoul(name.substr(at + 1))));
    }
    return std::pair(name.substr(0, name.find('_')), numbers);
  };
  std::vector<std::string>& needed = facts_.needed_versions;
  std::ranges::sort(needed, {}, key);
  needed.erase(std::ranges::unique(needed).begin(), needed.end());
}

}  // namespace wheelwright
