// Shared objects with only the structures that the readers use.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "tests/unit/wheel_builder.h"

namespace wheelwright {

// A library with `noise` after its header.
inline std::string MadeElf(std::string_view noise, unsigned machine = 62, unsigned bits = 64) {
  std::string elf =
      "\x7f"
      "ELF";
  elf += bits == 64 ? '\2' : '\1';
  elf += '\1';
  elf.resize(16);
  elf += LittleEndian(3, 2) + LittleEndian(machine, 2);
  elf.resize(64);
  return elf + std::string(noise);
}

struct ElfVersions {
  std::vector<std::string_view> names;
  std::size_t padding = 0;      // between the tables
  bool versions_first = false;  // before the dynamic section, so that a second pass is needed
  bool segments_last = false;   // at the end of the file, as patchelf leaves them
};

// A library that needs these symbol versions.
inline std::string MadeElf(const ElfVersions& wanted) {
  const auto hash = [](std::string_view name) {
    std::uint32_t sum = 0;
    for (const char c : name) {
      sum = (sum << 4) + static_cast<unsigned char>(c);
      const std::uint32_t high = sum & 0xF0000000;
      sum = (sum ^ high >> 24) & ~high;
    }
    return sum;
  };
  std::string versions = LittleEndian(1, 2) + LittleEndian(wanted.names.size(), 2) +
                         LittleEndian(0, 4) + LittleEndian(16, 4) + LittleEndian(0, 4);
  for (std::size_t i = 0; i < wanted.names.size(); ++i) {
    versions += LittleEndian(hash(wanted.names[i]), 4) + LittleEndian(0, 8) +
                LittleEndian(i + 1 < wanted.names.size() ? 16 : 0, 4);
  }
  constexpr std::uint64_t kAddress = 0x10000;  // load address of the file
  constexpr std::size_t kSegments = 2 * 56, kDynamic = 3 * 16;
  const std::string padding(wanted.padding, 'x');
  std::string elf = MadeElf("");
  const std::size_t first = elf.size() + (wanted.segments_last ? 0 : kSegments);
  const std::size_t first_size = wanted.versions_first ? versions.size() : kDynamic;
  const std::size_t second = first + first_size + padding.size();
  const std::size_t versions_at = wanted.versions_first ? first : second;
  const std::size_t dynamic_at = wanted.versions_first ? second : first;
  const std::size_t end = second + (wanted.versions_first ? kDynamic : versions.size());

  const auto segment = [](std::uint64_t type, std::uint64_t offset, std::uint64_t size) {
    return LittleEndian(type, 4) + LittleEndian(4, 4) + LittleEndian(offset, 8) +
           LittleEndian(kAddress + offset, 8) + LittleEndian(0, 8) + LittleEndian(size, 8) +
           LittleEndian(size, 8) + LittleEndian(8, 8);
  };
  const std::string segments = segment(1, 0, end) + segment(2, dynamic_at, kDynamic);
  const std::string dynamic =
      LittleEndian(0x6ffffffe, 8) + LittleEndian(kAddress + versions_at, 8) +
      LittleEndian(0x6fffffff, 8) + LittleEndian(1, 8) + std::string(16, '\0');
  const std::string segments_at = LittleEndian(wanted.segments_last ? end : 64, 8);
  std::copy(segments_at.begin(), segments_at.end(), elf.begin() + 32);
  const std::string counts = LittleEndian(56, 2) + LittleEndian(2, 2);
  std::copy(counts.begin(), counts.end(), elf.begin() + 54);
  if (!wanted.segments_last) elf += segments;
  elf += wanted.versions_first ? versions + padding + dynamic : dynamic + padding + versions;
  if (wanted.segments_last) elf += segments;
  return elf;
}

inline std::string MadePe(unsigned machine) {
  std::string pe = "MZ";
  pe.resize(0x3C);
  pe += LittleEndian(0x40, 4) + std::string("PE\0\0", 4) + LittleEndian(machine, 2);
  pe.resize(0x40 + 24);
  return pe + LittleEndian(0x20B, 2) + std::string(100, '\0');
}

}  // namespace wheelwright
