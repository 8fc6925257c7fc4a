#include "runtime/wheels/native/native_library.h"

#include <algorithm>
#include <utility>

#include "base/platform/little_endian.h"

namespace wheelwright {
namespace {

// Holds the ELF header, and of nearly every library the segments.
constexpr std::size_t kHead = 4096;
constexpr std::uint64_t kMostTable = 256 * 1024;  // of segments, dynamic entries or versions

// Limits for broken files: libraries need dozens of others, and hundreds of versions.
constexpr std::size_t kMostLibraries = 200, kMostVersions = 500;
constexpr std::size_t kMostName = 256, kMostSearchPath = 4096;  // bytes

}  // namespace

std::size_t NativeFacts::Names() const {
  std::size_t bytes = name.size() + (search_path ? search_path->size() : 0);
  for (const auto* list : {&libraries, &delayed}) {
    for (const std::string& library : *list) bytes += sizeof(std::string) + library.size();
  }
  for (const NeededVersion& needed : versions) {
    bytes += sizeof(NeededVersion) + needed.library.size() + needed.version.size();
  }
  return bytes;
}

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
  while (wanted_ && step_ != Step::kStrings) {
    const std::uint64_t next = want_offset_ + held_.size();
    if (next < begin || next >= at_) return;
    const std::uint64_t length = std::min(want_length_ - held_.size(), at_ - next);
    const std::span<const Byte> part =
        bytes.subspan(static_cast<std::size_t>(next - begin), static_cast<std::size_t>(length));
    held_.insert(held_.end(), part.begin(), part.end());
    if (held_.size() < want_length_) return;
    Captured();
  }
  if (wanted_) CaptureStrings(bytes, begin);
}

void NativeProbe::EndPass() {
  ++passes_;
  if (!have_head_) ReadHead();
  if (!wanted_) return;
  if (step_ == Step::kStrings) {
    const bool inside = std::ranges::all_of(strings_, [&](const Wanted& string) {
      return string.done || (string.text.empty() && string.offset < at_);
    });
    if (inside) return;  // in the next pass
    facts_.problem = "its strings reach over its end";
    wanted_ = false;
    return;
  }
  if (want_offset_ >= at_) {
    facts_.problem = "its tables lie behind its end";
    wanted_ = false;
    return;
  }
  const std::uint64_t there = at_ - want_offset_;
  if (want_length_ <= there) return;  // in the next pass
  if (step_ == Step::kSegments || step_ == Step::kDynamic) {
    facts_.problem = "its tables reach over its end";
    wanted_ = false;
    return;
  }
  // The length of the other tables was only an estimate.
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
  if (!names_ || elf.machine == kElfAmdGpu || table.count == 0 ||
      table.row_size != ElfSegment::kSize)
    return;
  Want(table.offset, table.row_size * table.count, Step::kSegments);
  if (LiesWithin(table.offset, want_length_, head_.size())) {
    held_.assign(head_.begin() + static_cast<std::ptrdiff_t>(table.offset),
                 head_.begin() + static_cast<std::ptrdiff_t>(table.offset + want_length_));
    Captured();
  }
}

// https://learn.microsoft.com/windows/win32/debug/pe-format
void NativeProbe::ReadPe() {
  constexpr std::uint64_t kDosHeader = 0x40, kOptional = 24, kSectionRow = 40;
  constexpr unsigned kImports = 1, kDelayed = 13;
  facts_.format = ObjectFormat::kPe;
  const std::uint64_t header = head_.size() < kDosHeader ? 0 : U32(head_, 0x3C);
  // Other programs for DOS start with MZ too.
  if (head_.size() < kDosHeader || !LiesWithin(header, kOptional + 2, head_.size()) ||
      U32(head_, header) != 0x00004550) {
    facts_.problem = "it starts like a Windows program but has no PE header";
    return;
  }
  facts_.machine = U16(head_, header + 4);
  const std::uint64_t optional = header + kOptional;
  const unsigned magic = U16(head_, optional);
  facts_.bits = magic == 0x20B ? 64 : magic == 0x10B ? 32 : 0;
  if (!names_ || facts_.bits == 0) return;
  const std::uint64_t sections = optional + U16(head_, header + 20);
  const std::uint64_t size = kSectionRow * U16(head_, header + 6);
  const std::uint64_t folders = optional + (facts_.bits == 64 ? 112 : 96);
  if (folders > sections || !LiesWithin(sections, size, head_.size())) {
    facts_.problem = "its headers are not where they should be";
    return;
  }
  const auto address = [&](unsigned folder) -> std::uint64_t {
    const std::uint64_t at = folders + 8 * folder;
    return folder < U32(head_, folders - 4) && at + 8 <= sections ? U32(head_, at) : 0;
  };
  imports_ = address(kImports);
  delayed_ = address(kDelayed);
  for (std::uint64_t row = sections; row < sections + size; row += kSectionRow) {
    segments_.push_back({.offset = U32(head_, row + 20),
                         .address = U32(head_, row + 12),
                         .size = U32(head_, row + 16)});
  }
  WantImports(Step::kImports);
}

// Wants the table of imports, or what comes behind it.
void NativeProbe::WantImports(Step step) {
  constexpr std::uint64_t kRow = 20, kDelayedRow = 32;
  if (step == Step::kImports && imports_ == 0) step = Step::kDelayed;
  if (step == Step::kDelayed && delayed_ == 0) step = Step::kStrings;
  if (step == Step::kStrings) {
    wanted_ = !strings_.empty();
    step_ = step;
    return;
  }
  const auto place = Find(step == Step::kImports ? imports_ : delayed_);
  if (!place) {
    facts_.problem = "its imports are not where it says";
    strings_.clear();
    return;
  }
  // The tables end with an empty row: the loader ignores the lengths that the header states.
  const std::uint64_t row = step == Step::kImports ? kRow : kDelayedRow;
  Want(place->first, std::min(place->second, row * (kMostLibraries + 1)), step);
}

void NativeProbe::ReadImports() {
  const std::vector<Byte> table = std::exchange(held_, {});
  const bool delayed = step_ == Step::kDelayed;
  const std::size_t row = delayed ? 32 : 20, name = delayed ? 4 : 12;
  std::size_t at = 0;
  for (; at + row <= table.size(); at += row) {
    const std::uint32_t address = U32(table, at + name);
    if (address == 0) break;
    const auto place = Find(address);
    if (!place) {
      facts_.problem = "its imports are not where it says";
      strings_.clear();
      return;
    }
    strings_.push_back({.what = delayed ? Wanted::What::kDelayed : Wanted::What::kLibrary,
                        .offset = place->first});
  }
  facts_.cut = facts_.cut || at / row > kMostLibraries;
  WantImports(delayed ? Step::kStrings : Step::kDelayed);
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
    case Step::kImports:
    case Step::kDelayed:
      ReadImports();
      break;
    case Step::kStrings:
      break;
  }
}

void NativeProbe::ReadSegments() {
  const std::vector<Byte> table = std::exchange(held_, {});
  ElfSegment dynamic;
  for (std::size_t at = 0; at + ElfSegment::kSize <= table.size(); at += ElfSegment::kSize) {
    const ElfSegment segment = ReadElfSegment(std::span(table).subspan(at));
    const bool executable = (segment.flags & ElfSegment::kExecutable) != 0;
    if (segment.type == ElfSegment::kDynamic) dynamic = segment;
    if (segment.type == ElfSegment::kStack) facts_.executable_stack = executable;
    if (segment.type != ElfSegment::kLoad) continue;
    segments_.push_back(segment);
    if (executable && (segment.flags & ElfSegment::kWritable) != 0) facts_.writable_code = true;
  }
  if (dynamic.size > 0) Want(dynamic.offset, dynamic.size, Step::kDynamic);
}

void NativeProbe::ReadDynamic() {
  using What = Wanted::What;
  constexpr std::uint64_t kNull = 0, kNeeded = 1, kStrings = 5, kStringsSize = 10, kName = 14,
                          kRpath = 15, kRunpath = 29, kVersionsNeeded = 0x6ffffffe,
                          kVersionsCount = 0x6fffffff;
  const std::vector<Byte> table = std::exchange(held_, {});
  std::uint64_t versions = 0, count = 0;
  std::optional<std::uint64_t> rpath, runpath;
  for (std::uint64_t at = 0; at + 16 <= table.size(); at += 16) {
    const std::uint64_t tag = U64(table, at), value = U64(table, at + 8);
    if (tag == kNull) break;
    if (tag == kStrings) strings_address_ = value;
    if (tag == kStringsSize) strings_size_ = value;
    if (tag == kName) strings_.push_back({.what = What::kName, .offset = value});
    if (tag == kRpath) rpath = value;
    if (tag == kRunpath) runpath = value;
    if (tag == kVersionsNeeded) versions = value;
    if (tag == kVersionsCount) count = value;
    if (tag != kNeeded) continue;
    if (strings_.size() >= kMostLibraries) {
      facts_.cut = true;
    } else {
      strings_.push_back({.what = What::kLibrary, .offset = value});
    }
  }
  // The loader ignores DT_RPATH beside DT_RUNPATH.
  if (runpath || rpath) {
    strings_.push_back(
        {.what = What::kSearchPath, .offset = runpath ? *runpath : rpath.value_or(0)});
  }
  const auto place = count > 0 ? Find(versions) : std::nullopt;
  if (!place) return WantStrings();
  // The table does not state its length. 64 KiB hold 4,000 versions; libraries need dozens.
  Want(place->first, std::min<std::uint64_t>(place->second, 64 * 1024), Step::kVersions);
}

void NativeProbe::ReadVersions() {
  const std::vector<Byte> table = std::exchange(held_, {});
  std::uint64_t library = 0;
  for (std::size_t guard = 0; guard < kMostVersions && library + 16 <= table.size(); ++guard) {
    const std::uint64_t file = U32(table, library + 4);
    std::uint64_t version = library + U32(table, library + 8);
    const std::uint64_t count = U16(table, library + 2);
    for (std::uint64_t i = 0; i < count && version + 16 <= table.size(); ++i) {
      const std::size_t index = facts_.versions.size();
      if (index == kMostVersions) {
        facts_.cut = true;
        break;
      }
      facts_.versions.emplace_back();
      strings_.push_back(
          {.what = Wanted::What::kVersion, .offset = U32(table, version + 8), .version = index});
      strings_.push_back({.what = Wanted::What::kVersionLibrary, .offset = file, .version = index});
      const std::uint64_t next = U32(table, version + 12);
      if (next == 0) break;
      version += next;
    }
    const std::uint64_t next = U32(table, library + 12);
    if (next == 0) break;
    library += next;
  }
  WantStrings();
}

std::optional<std::pair<std::uint64_t, std::uint64_t>> NativeProbe::Find(
    std::uint64_t address) const {
  for (const ElfSegment& segment : segments_) {
    if (address < segment.address || address - segment.address >= segment.size) continue;
    const std::uint64_t inside = address - segment.address;
    return std::pair(segment.offset + inside, segment.size - inside);
  }
  return std::nullopt;
}

void NativeProbe::WantStrings() {
  if (strings_.empty()) return;
  const auto table = Find(strings_address_);
  if (!table || std::ranges::any_of(strings_, [&](const Wanted& string) {
        return string.offset >= std::min(strings_size_, table->second);
      })) {
    facts_.problem = "its strings are not where it says";
    facts_.versions.clear();
    return;
  }
  for (Wanted& string : strings_) string.offset += table->first;
  wanted_ = true;
  step_ = Step::kStrings;
}

void NativeProbe::CaptureStrings(std::span<const Byte> bytes, std::uint64_t begin) {
  bool all = true;
  for (Wanted& string : strings_) {
    const std::uint64_t next = string.offset + string.text.size();
    if (!string.done && next >= begin && next < at_) {
      const std::size_t most =
          string.what == Wanted::What::kSearchPath ? kMostSearchPath : kMostName;
      const auto rest = bytes.subspan(static_cast<std::size_t>(next - begin));
      const auto piece = rest.first(std::min(rest.size(), most - string.text.size()));
      const auto end = std::ranges::find(piece, Byte{0});
      string.text.append(piece.begin(), end);
      string.done = end != piece.end() || string.text.size() == most;
    }
    all = all && string.done;
  }
  if (!all) return;
  wanted_ = false;
  for (Wanted& string : std::exchange(strings_, {})) {
    switch (string.what) {
      case Wanted::What::kName:
        facts_.name = std::move(string.text);
        break;
      case Wanted::What::kLibrary:
        facts_.libraries.push_back(std::move(string.text));
        break;
      case Wanted::What::kDelayed:
        facts_.delayed.push_back(std::move(string.text));
        break;
      case Wanted::What::kSearchPath:
        facts_.search_path = std::move(string.text);
        break;
      case Wanted::What::kVersion:
        facts_.versions[string.version].version = std::move(string.text);
        break;
      case Wanted::What::kVersionLibrary:
        facts_.versions[string.version].library = std::move(string.text);
        break;
    }
  }
  std::erase_if(facts_.versions,
                [](const NeededVersion& needed) { return needed.version.empty(); });
  std::ranges::sort(facts_.versions);
  const auto twice = std::ranges::unique(facts_.versions);
  facts_.versions.erase(twice.begin(), twice.end());
}

}  // namespace wheelwright
