#include "runtime/hip/code/object_sections.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <string_view>

#include "runtime/hip/code/little_endian.h"

namespace wheelwright {
namespace {

constexpr std::uint64_t kMostSections = 200'000;
constexpr std::uint64_t kMostNames = 64 << 20;
constexpr std::string_view kImagePrefix = "__CLANG_OFFLOAD_BUNDLE__";

// Sorts a section in by its name. In programs of Windows, names are cut to 8 characters.
void Take(std::string_view name, std::uint64_t offset, std::uint64_t size, std::uint64_t file_size,
          ObjectSections& sections) {
  const bool kpack = name == ".rocm_kpack_ref" || name == ".kpackrf";
  const bool container = name == ".hip_fatbin" || name == ".hip_fat" || name == ".llvm.offloading";
  const bool image = name.starts_with(kImagePrefix);
  if ((!kpack && !container && !image) || size == 0) return;
  if (!LiesWithin(offset, size, file_size)) {
    sections.problem = fmt::format("its section {} lies behind its end", name);
    return;
  }
  if (kpack) {
    sections.kpack_reference = {std::string(name), offset, size};
  } else if (container) {
    sections.containers.push_back({std::string(name), offset, size});
  } else {
    sections.images.push_back({std::string(name.substr(kImagePrefix.size())), offset, size});
  }
}

std::string_view NameAt(const std::vector<Byte>& names, std::uint64_t at) {
  if (at >= names.size()) return {};
  const std::string_view rest(reinterpret_cast<const char*>(names.data()) + at, names.size() - at);
  return rest.substr(0, rest.find('\0'));
}

// https://refspecs.linuxfoundation.org/elf/gabi4+/ch4.eheader.html
void ReadElf(const ByteSource& source, ObjectSections& sections) {
  constexpr std::uint64_t kHead = 64, kEntry = 64, kNoBits = 8, kMany = 0xffff, kAmdGpu = 224;
  std::array<Byte, kHead> head{};
  if (source.size() < kHead || !source.ReadAt(0, head)) {
    sections.problem = "it ends inside its head";
    return;
  }
  if (head[4] != 2 || head[5] != 1) return;  // only 64-bit machines of little endian have GPUs
  const auto machine = LittleEndian<std::uint16_t>(head, 18);
  if (machine == kAmdGpu) {
    sections.is_code_object = true;
    sections.flags = LittleEndian<std::uint32_t>(head, 48);
    sections.target = TargetOfElfFlags(sections.flags);
    return;
  }
  const auto offset = LittleEndian<std::uint64_t>(head, 40);
  std::uint64_t count = LittleEndian<std::uint16_t>(head, 60);
  std::uint64_t names_index = LittleEndian<std::uint16_t>(head, 62);
  if (offset == 0) return;
  const auto broken = [&] { sections.problem = "its section table cannot be read"; };
  std::array<Byte, kEntry> first{};
  if (LittleEndian<std::uint16_t>(head, 58) != kEntry ||
      !LiesWithin(offset, kEntry, source.size()) || !source.ReadAt(offset, first)) {
    return broken();
  }
  // Numbers that are too large for the head stand in the first entry.
  if (count == 0) count = LittleEndian<std::uint64_t>(first, 32);
  if (names_index == kMany) names_index = LittleEndian<std::uint32_t>(first, 40);
  if (count > kMostSections || !LiesWithin(offset, count * kEntry, source.size()) ||
      names_index >= count) {
    return broken();
  }
  std::vector<Byte> table(static_cast<std::size_t>(count * kEntry));
  if (!source.ReadAt(offset, table)) return broken();
  const auto names_offset = LittleEndian<std::uint64_t>(table, names_index * kEntry + 24);
  const auto names_size = LittleEndian<std::uint64_t>(table, names_index * kEntry + 32);
  if (names_size > kMostNames || !LiesWithin(names_offset, names_size, source.size())) {
    return broken();
  }
  std::vector<Byte> names(static_cast<std::size_t>(names_size));
  if (!source.ReadAt(names_offset, names)) return broken();
  for (std::uint64_t i = 0; i < count; ++i) {
    const std::span<const Byte> row(table.data() + i * kEntry, kEntry);
    const bool nothing = LittleEndian<std::uint32_t>(row, 4) == kNoBits;
    Take(NameAt(names, LittleEndian<std::uint32_t>(row, 0)), LittleEndian<std::uint64_t>(row, 24),
         nothing ? 0 : LittleEndian<std::uint64_t>(row, 32), source.size(), sections);
  }
}

// https://learn.microsoft.com/windows/win32/debug/pe-format
struct CoffTables {
  std::uint64_t sections = 0, section_count = 0;
  std::uint64_t symbols = 0, symbols_size = 0;  // behind them stand the long names
};

// "/123": the place of a name of more than 8 characters, as object files have them.
std::string_view LongName(std::string_view field, const std::vector<Byte>& names) {
  std::uint64_t at = 0;
  const auto [end, error] = std::from_chars(field.data() + 1, field.data() + field.size(), at);
  if (error != std::errc() || end != field.data() + field.size()) return field;
  return NameAt(names, at);
}

void ReadCoffSections(const ByteSource& source, const CoffTables& tables,
                      ObjectSections& sections) {
  constexpr std::uint64_t kEntry = 40;
  if (tables.section_count > kMostSections ||
      !LiesWithin(tables.sections, tables.section_count * kEntry, source.size())) {
    sections.problem = "its section table lies behind its end";
    return;
  }
  std::vector<Byte> table(static_cast<std::size_t>(tables.section_count * kEntry));
  std::vector<Byte> names;
  const auto broken = [&] { sections.problem = "its section table cannot be read"; };
  if (!source.ReadAt(tables.sections, table)) return broken();
  for (std::uint64_t i = 0; i < tables.section_count; ++i) {
    const std::span<const Byte> row(table.data() + i * kEntry, kEntry);
    const std::string_view field(reinterpret_cast<const char*>(row.data()), 8);
    std::string_view name = field.substr(0, field.find('\0'));
    if (name.starts_with('/') && tables.symbols > 0) {
      if (names.empty()) {
        std::array<Byte, 4> size{};
        const std::uint64_t at = tables.symbols + tables.symbols_size;
        if (!LiesWithin(at, size.size(), source.size()) || !source.ReadAt(at, size)) {
          return broken();
        }
        const auto length = LittleEndian<std::uint32_t>(size, 0);  // with itself
        if (length < size.size() || length > kMostNames || !LiesWithin(at, length, source.size())) {
          return broken();
        }
        names.resize(length);
        if (!source.ReadAt(at, names)) return broken();
      }
      name = LongName(name, names);
    }
    const auto in_memory = LittleEndian<std::uint32_t>(row, 8);
    auto size = LittleEndian<std::uint32_t>(row, 16);
    // In programs the rest of the section's last block is padding.
    if (in_memory > 0) size = std::min(size, in_memory);
    Take(name, LittleEndian<std::uint32_t>(row, 20), size, source.size(), sections);
  }
}

constexpr std::uint64_t kSymbol = 18;

void ReadPe(const ByteSource& source, ObjectSections& sections) {
  std::array<Byte, 64> dos{};
  if (source.size() < dos.size() || !source.ReadAt(0, dos)) return;
  const std::uint64_t at = LittleEndian<std::uint32_t>(dos, 60);
  std::array<Byte, 24> head{};
  if (!LiesWithin(at, head.size(), source.size()) || !source.ReadAt(at, head)) return;
  if (std::string_view(reinterpret_cast<const char*>(head.data()), 4) !=
      std::string_view("PE\0\0", 4)) {
    return;  // a program of an older kind
  }
  // MinGW's programs have long names too.
  ReadCoffSections(source,
                   {.sections = at + head.size() + LittleEndian<std::uint16_t>(head, 20),
                    .section_count = LittleEndian<std::uint16_t>(head, 6),
                    .symbols = LittleEndian<std::uint32_t>(head, 12),
                    .symbols_size = LittleEndian<std::uint32_t>(head, 16) * kSymbol},
                   sections);
}

void ReadCoff(const ByteSource& source, ObjectSections& sections) {
  constexpr std::uint64_t kHead = 20, kBigHead = 56, kBigSymbol = 20;
  std::array<Byte, kBigHead> head{};
  const std::uint64_t have = std::min<std::uint64_t>(source.size(), head.size());
  if (have < kHead || !source.ReadAt(0, {head.data(), static_cast<std::size_t>(have)})) return;
  if (head[2] != 0xff) {
    ReadCoffSections(source,
                     {.sections = kHead + LittleEndian<std::uint16_t>(head, 16),
                      .section_count = LittleEndian<std::uint16_t>(head, 2),
                      .symbols = LittleEndian<std::uint32_t>(head, 8),
                      .symbols_size = LittleEndian<std::uint32_t>(head, 12) * kSymbol},
                     sections);
  } else if (have == kBigHead) {  // of more than 65,279 sections, or by choice
    ReadCoffSections(source,
                     {.sections = kBigHead,
                      .section_count = LittleEndian<std::uint32_t>(head, 44),
                      .symbols = LittleEndian<std::uint32_t>(head, 48),
                      .symbols_size = LittleEndian<std::uint32_t>(head, 52) * kBigSymbol},
                     sections);
  }
}

}  // namespace

ObjectFormat FormatOf(std::span<const Byte> head) {
  if (head.size() < 4) return ObjectFormat::kNone;
  const std::string_view text(reinterpret_cast<const char*>(head.data()), 4);
  if (text ==
      "\x7f"
      "ELF")
    return ObjectFormat::kElf;
  if (text.starts_with("MZ")) return ObjectFormat::kPe;
  if (text.starts_with("\x64\x86") || text == std::string_view("\0\0\xff\xff", 4)) {
    return ObjectFormat::kCoff;
  }
  return ObjectFormat::kNone;
}

ObjectSections ReadSections(const ByteSource& source, ObjectFormat format) {
  ObjectSections sections;
  if (format == ObjectFormat::kElf) ReadElf(source, sections);
  if (format == ObjectFormat::kPe) ReadPe(source, sections);
  if (format == ObjectFormat::kCoff) ReadCoff(source, sections);
  std::ranges::sort(sections.containers, {}, &DeviceSection::offset);
  return sections;
}

}  // namespace wheelwright
