#include "runtime/wheels/wheel/native_library.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <utility>

namespace wheelwright {
namespace {

// The ELF header, and the segments of nearly every library, are in here.
constexpr std::size_t kHead = 4096;
constexpr std::uint64_t kMostTable = 256 * 1024;  // of segments, dynamic entries or versions

std::uint64_t Number(std::span<const Byte> bytes, std::uint64_t at, std::size_t width) {
  if (at > bytes.size() || width > bytes.size() - at) return 0;
  std::uint64_t value = 0;
  for (std::size_t i = width; i-- > 0;) value = value << 8 | bytes[at + i];
  return value;
}

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

// A table of needed versions holds each name's hash, so the names need not be looked up in a string
// table that may be tens of megabytes away. These are all that there can be for years to come.
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
  // What is found in one table may send us to another further on in the same piece.
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
  // More was asked for than there has to be.
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
  const auto starts_with = [this](std::string_view magic) {
    return head_.size() >= magic.size() &&
           std::equal(magic.begin(), magic.end(), head_.begin(),
                      [](char a, Byte b) { return static_cast<Byte>(a) == b; });
  };
  const std::uint64_t magic = Number(head_, 0, 4);
  if (starts_with("\x7f"
                  "ELF")) {
    ReadElf();
  } else if (starts_with("MZ")) {
    ReadPe();
  } else if (magic == 0xfeedfacf || magic == 0xfeedface) {
    facts_ = {.format = NativeFormat::kMachO, .bits = magic == 0xfeedfacf ? 64u : 32u};
  }
}

void NativeProbe::ReadElf() {
  facts_.format = NativeFormat::kElf;
  if (head_.size() < 64) {
    facts_.problem = "its header is cut off";
    return;
  }
  facts_.bits = head_[4] == 1 ? 32 : head_[4] == 2 ? 64 : 0;
  facts_.little_endian = head_[5] == 1;
  facts_.machine = static_cast<unsigned>(Number(head_, 18, 2));
  if (!facts_.little_endian) facts_.machine = facts_.machine >> 8 | (facts_.machine & 0xFF) << 8;
  if (!versions_ || facts_.bits != 64 || !facts_.little_endian) return;
  const std::uint64_t offset = Number(head_, 32, 8);
  const std::uint64_t entry = Number(head_, 54, 2), count = Number(head_, 56, 2);
  if (count == 0 || entry != 56) return;
  Want(offset, entry * count, Step::kSegments);
  if (offset < head_.size() && want_length_ <= head_.size() - offset) {
    held_.assign(head_.begin() + static_cast<std::ptrdiff_t>(offset),
                 head_.begin() + static_cast<std::ptrdiff_t>(offset + want_length_));
    Captured();
  }
}

void NativeProbe::ReadPe() {
  const std::uint64_t header = Number(head_, 0x3C, 4);
  // Other programs for DOS start with MZ too.
  if (head_.size() < 0x40 || header + 26 > head_.size() || Number(head_, header, 4) != 0x00004550) {
    facts_.format = NativeFormat::kPe;
    facts_.problem = "it starts like a Windows program but has no PE header";
    return;
  }
  facts_.format = NativeFormat::kPe;
  facts_.machine = static_cast<unsigned>(Number(head_, header + 4, 2));
  const std::uint64_t magic = Number(head_, header + 24, 2);
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
  constexpr std::uint64_t kLoad = 1, kDynamic = 2;
  const std::vector<Byte> table = std::exchange(held_, {});
  for (std::uint64_t at = 0; at + 56 <= table.size(); at += 56) {
    const std::uint64_t type = Number(table, at, 4);
    const Segment segment{Number(table, at + 8, 8), Number(table, at + 16, 8),
                          Number(table, at + 32, 8)};
    if (type == kLoad) segments_.push_back(segment);
    if (type == kDynamic) {
      dynamic_offset_ = segment.offset;
      dynamic_size_ = segment.size;
    }
  }
  if (dynamic_size_ > 0) Want(dynamic_offset_, dynamic_size_, Step::kDynamic);
}

void NativeProbe::ReadDynamic() {
  constexpr std::uint64_t kNull = 0, kVersionsNeeded = 0x6ffffffe, kVersionsCount = 0x6fffffff;
  const std::vector<Byte> table = std::exchange(held_, {});
  std::uint64_t address = 0, count = 0;
  for (std::uint64_t at = 0; at + 16 <= table.size(); at += 16) {
    const std::uint64_t tag = Number(table, at, 8), value = Number(table, at + 8, 8);
    if (tag == kNull) break;
    if (tag == kVersionsNeeded) address = value;
    if (tag == kVersionsCount) count = value;
  }
  if (address == 0 || count == 0) return;
  for (const Segment& segment : segments_) {
    if (address < segment.address || address - segment.address >= segment.size) continue;
    const std::uint64_t inside = address - segment.address;
    // Its length is not told: 64 KiB is room for 4,000 versions, and there are some dozens.
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
    std::uint64_t version = library + Number(table, library + 8, 4);
    const std::uint64_t count = Number(table, library + 2, 2);
    for (std::uint64_t i = 0; i < count && version + 16 <= table.size(); ++i) {
      const auto name = known.find(static_cast<std::uint32_t>(Number(table, version, 4)));
      if (name != known.end()) facts_.needed_versions.push_back(name->second);
      const std::uint64_t next = Number(table, version + 12, 4);
      if (next == 0) break;
      version += next;
    }
    const std::uint64_t next = Number(table, library + 12, 4);
    if (next == 0) break;
    library += next;
  }
  // "GLIBC_2.5" before "GLIBC_2.17": by numbers.
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
