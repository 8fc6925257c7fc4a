// Formats of native files, and the tables of ELF.
// https://refspecs.linuxfoundation.org/elf/gabi4+/ch4.eheader.html
//
// Own code, because libelf 0.188 (which links statically and withstands hostile files) needs the
// whole file in memory; these files are read while they are decompressed. It does not read PE and
// COFF.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "base/platform/byte_source.h"

namespace wheelwright {

enum class ObjectFormat : std::uint8_t { kNone, kElf, kPe, kCoff, kMachO };

// By the magic number, which is 4 bytes long.
ObjectFormat FormatOf(std::span<const Byte> head);

inline constexpr unsigned kElfAmd64 = 62, kElfAmdGpu = 224, kElfAArch64 = 183;

struct ElfTable {
  std::uint64_t offset = 0;
  std::uint64_t row_size = 0;  // bytes
  std::uint64_t count = 0;
};

struct ElfHeader {
  static constexpr std::size_t kSize = 64;  // bytes

  unsigned bits = 0;  // 32 or 64; 0 where the header is broken
  bool little_endian = false;
  unsigned machine = 0;  // e_machine
  // Read from 64-bit little-endian files only.
  std::uint32_t flags = 0;
  ElfTable segments, sections;
  std::uint64_t names = 0;  // index of the section that holds the names of sections

  bool has_tables() const { return bits == 64 && little_endian; }
};
ElfHeader ReadElfHeader(std::span<const Byte, ElfHeader::kSize> head);

struct ElfSegment {
  static constexpr std::uint64_t kSize = 56;  // bytes of a row
  static constexpr std::uint32_t kLoad = 1, kDynamic = 2, kStack = 0x6474e551;
  static constexpr std::uint32_t kExecutable = 1, kWritable = 2;  // flags

  std::uint32_t type = 0, flags = 0;
  std::uint64_t offset = 0, address = 0, size = 0;
};
ElfSegment ReadElfSegment(std::span<const Byte> row);

struct ElfSection {
  static constexpr std::uint64_t kSize = 64;  // bytes of a row
  static constexpr std::uint32_t kNoBits = 8;

  std::uint32_t name = 0;  // offset into the section of names
  std::uint32_t type = 0;
  std::uint64_t offset = 0, size = 0;
  std::uint32_t link = 0;
};
ElfSection ReadElfSection(std::span<const Byte> row);

}  // namespace wheelwright
