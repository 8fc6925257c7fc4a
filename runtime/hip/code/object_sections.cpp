#include "runtime/hip/code/object_sections.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <string_view>

#include "base/platform/little_endian.h"

namespace wheelwright {
namespace {

constexpr std::uint64_t kMostSections = 200'000;
constexpr std::uint64_t kMostNames = 64 << 20;
constexpr std::string_view kImagePrefix = "__CLANG_OFFLOAD_BUNDLE__";

// Adds a section, if its name is one of GPU code. Names in programs of Windows have 8 characters.
void AddSection(std::string_view name, std::uint64_t offset, std::uint64_t size,
                std::uint64_t file_size, ObjectSections& sections) {
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

void ReadElf(const ByteSource& source, ObjectSections& sections) {
  constexpr std::uint64_t kEntry = ElfSection::kSize, kInFirstRow = 0xffff;
  std::array<Byte, ElfHeader::kSize> head{};
  if (source.size() < head.size() || !source.ReadAt(0, head)) {
    sections.problem = "it ends inside its head";
    return;
  }
  const ElfHeader elf = ReadElfHeader(head);
  if (!elf.has_tables()) return;  // no host of GPUs
  if (elf.machine == kElfAmdGpu) {
    sections.is_code_object = true;
    sections.flags = elf.flags;
    sections.target = TargetOfElfFlags(sections.flags);
    return;
  }
  const std::uint64_t offset = elf.sections.offset;
  if (offset == 0) return;
  const auto broken = [&] { sections.problem = "its section table cannot be read"; };
  std::array<Byte, kEntry> bytes{};
  if (elf.sections.row_size != kEntry || !LiesWithin(offset, kEntry, source.size()) ||
      !source.ReadAt(offset, bytes)) {
    return broken();
  }
  // The first row holds numbers that are too large for the header.
  const ElfSection first = ReadElfSection(bytes);
  const std::uint64_t count = elf.sections.count == 0 ? first.size : elf.sections.count;
  const std::uint64_t names_index = elf.names == kInFirstRow ? first.link : elf.names;
  if (count > kMostSections || !LiesWithin(offset, count * kEntry, source.size()) ||
      names_index >= count) {
    return broken();
  }
  std::vector<Byte> table(static_cast<std::size_t>(count * kEntry));
  if (!source.ReadAt(offset, table)) return broken();
  const auto row = [&](std::uint64_t index) {
    return ReadElfSection(std::span(table).subspan(static_cast<std::size_t>(index * kEntry)));
  };
  const ElfSection names_row = row(names_index);
  if (names_row.size > kMostNames || !LiesWithin(names_row.offset, names_row.size, source.size())) {
    return broken();
  }
  std::vector<Byte> names(static_cast<std::size_t>(names_row.size));
  if (!source.ReadAt(names_row.offset, names)) return broken();
  for (std::uint64_t i = 0; i < count; ++i) {
    const ElfSection section = row(i);
    AddSection(NameAt(names, section.name), section.offset,
               section.type == ElfSection::kNoBits ? 0 : section.size, source.size(), sections);
  }
}

// https://learn.microsoft.com/windows/win32/debug/pe-format
struct CoffTables {
  std::uint64_t sections = 0, section_count = 0;
  std::uint64_t symbols = 0, symbols_size = 0;  // followed by long names
};

// "/123": the offset of a name of more than 8 characters.
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
        const auto length = U32(size, 0);  // includes itself
        if (length < size.size() || length > kMostNames || !LiesWithin(at, length, source.size())) {
          return broken();
        }
        names.resize(length);
        if (!source.ReadAt(at, names)) return broken();
      }
      name = LongName(name, names);
    }
    const auto in_memory = U32(row, 8);
    auto size = U32(row, 16);
    // The last block of a section is padded in programs.
    if (in_memory > 0) size = std::min(size, in_memory);
    AddSection(name, U32(row, 20), size, source.size(), sections);
  }
}

constexpr std::uint64_t kSymbol = 18;

void ReadPe(const ByteSource& source, ObjectSections& sections) {
  std::array<Byte, 64> dos{};
  if (source.size() < dos.size() || !source.ReadAt(0, dos)) return;
  const std::uint64_t at = U32(dos, 60);
  std::array<Byte, 24> head{};
  if (!LiesWithin(at, head.size(), source.size()) || !source.ReadAt(at, head)) return;
  if (std::string_view(reinterpret_cast<const char*>(head.data()), 4) !=
      std::string_view("PE\0\0", 4)) {
    return;  // a program for DOS
  }
  // MinGW's programs have long names too.
  ReadCoffSections(source,
                   {.sections = at + head.size() + U16(head, 20),
                    .section_count = U16(head, 6),
                    .symbols = U32(head, 12),
                    .symbols_size = U32(head, 16) * kSymbol},
                   sections);
}

void ReadCoff(const ByteSource& source, ObjectSections& sections) {
  constexpr std::uint64_t kHead = 20, kBigHead = 56, kBigSymbol = 20;
  std::array<Byte, kBigHead> head{};
  const std::uint64_t have = std::min<std::uint64_t>(source.size(), head.size());
  if (have < kHead || !source.ReadAt(0, {head.data(), static_cast<std::size_t>(have)})) return;
  if (head[2] != 0xff) {
    ReadCoffSections(source,
                     {.sections = kHead + U16(head, 16),
                      .section_count = U16(head, 2),
                      .symbols = U32(head, 8),
                      .symbols_size = U32(head, 12) * kSymbol},
                     sections);
  } else if (have == kBigHead) {  // /bigobj, for more than 65,279 sections
    ReadCoffSections(source,
                     {.sections = kBigHead,
                      .section_count = U32(head, 44),
                      .symbols = U32(head, 48),
                      .symbols_size = U32(head, 52) * kBigSymbol},
                     sections);
  }
}

}  // namespace

ObjectSections ReadSections(const ByteSource& source, ObjectFormat format) {
  ObjectSections sections;
  if (format == ObjectFormat::kElf) ReadElf(source, sections);
  if (format == ObjectFormat::kPe) ReadPe(source, sections);
  if (format == ObjectFormat::kCoff) ReadCoff(source, sections);
  std::ranges::sort(sections.containers, {}, &DeviceSection::offset);
  return sections;
}

}  // namespace wheelwright
