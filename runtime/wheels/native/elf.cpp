#include "runtime/wheels/native/elf.h"

#include <string_view>

#include "base/platform/little_endian.h"

namespace wheelwright {

ObjectFormat FormatOf(std::span<const Byte> head) {
  using namespace std::string_view_literals;
  if (head.size() < 4) return ObjectFormat::kNone;
  const std::string_view text(reinterpret_cast<const char*>(head.data()), 4);
  if (text == "\177ELF") return ObjectFormat::kElf;
  if (text.starts_with("MZ")) return ObjectFormat::kPe;
  if (text.starts_with("\x64\x86") || text == "\0\0\xff\xff"sv) return ObjectFormat::kCoff;
  if (text == "\xcf\xfa\xed\xfe" || text == "\xce\xfa\xed\xfe") return ObjectFormat::kMachO;
  return ObjectFormat::kNone;
}

ElfHeader ReadElfHeader(std::span<const Byte, ElfHeader::kSize> head) {
  ElfHeader elf{.bits = head[4] == 1   ? 32u
                        : head[4] == 2 ? 64u
                                       : 0u,
                .little_endian = head[5] == 1,
                .machine = U16(head, 18)};
  if (!elf.little_endian) elf.machine = elf.machine >> 8 | (elf.machine & 0xFF) << 8;
  if (!elf.has_tables()) return elf;
  elf.flags = U32(head, 48);
  elf.segments = {.offset = U64(head, 32), .row_size = U16(head, 54), .count = U16(head, 56)};
  elf.sections = {.offset = U64(head, 40), .row_size = U16(head, 58), .count = U16(head, 60)};
  elf.names = U16(head, 62);
  return elf;
}

ElfSegment ReadElfSegment(std::span<const Byte> row) {
  return {.type = U32(row, 0),
          .flags = U32(row, 4),
          .offset = U64(row, 8),
          .address = U64(row, 16),
          .size = U64(row, 32)};
}

ElfSection ReadElfSection(std::span<const Byte> row) {
  return {.name = U32(row, 0),
          .type = U32(row, 4),
          .offset = U64(row, 24),
          .size = U64(row, 32),
          .link = U32(row, 40)};
}

}  // namespace wheelwright
