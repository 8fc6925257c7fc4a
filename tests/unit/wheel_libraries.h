// Shared objects with only the structures that the readers use.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
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
  std::vector<std::string_view> names;  // "GLIBC_2.28"; of the library that has such
  std::size_t padding = 0;              // between the tables
  bool versions_first = false;  // before the dynamic section, so that a second pass is needed
  bool segments_last = false;   // at the end of the file, as patchelf leaves them
  std::vector<std::string_view> libraries{};  // DT_NEEDED
  std::string_view run_path{};
  std::string_view name{};  // DT_SONAME
  bool executable_stack = false;
  bool writable_code = false;
};

// A library that needs these symbol versions and libraries.
inline std::string MadeElf(const ElfVersions& wanted) {
  std::string strings(1, '\0');
  const auto string = [&](std::string_view text) {
    const std::size_t at = strings.size();
    strings += std::string(text) + '\0';
    return at;
  };
  std::string versions;
  for (std::size_t i = 0; i < wanted.names.size(); ++i) {
    const std::string_view name = wanted.names[i];
    const std::string_view library = name.starts_with("GLIBC_")     ? "libc.so.6"
                                     : name.starts_with("GCC_")     ? "libgcc_s.so.1"
                                     : name.starts_with("ZLIB_")    ? "libz.so.1"
                                     : name.starts_with("GLIBCXX_") ? "libstdc++.so.6"
                                     : name.starts_with("CXXABI_")  ? "libstdc++.so.6"
                                                                    : "libother.so";
    const bool last = i + 1 == wanted.names.size();
    versions += LittleEndian(1, 2) + LittleEndian(1, 2) + LittleEndian(string(library), 4) +
                LittleEndian(16, 4) + LittleEndian(last ? 0 : 32, 4);
    versions += LittleEndian(0, 8) + LittleEndian(string(name), 4) + LittleEndian(0, 4);
  }
  std::vector<std::pair<std::uint64_t, std::uint64_t>> rows;  // of the dynamic section
  for (const std::string_view library : wanted.libraries) rows.emplace_back(1, string(library));
  if (!wanted.run_path.empty()) rows.emplace_back(29, string(wanted.run_path));
  if (!wanted.name.empty()) rows.emplace_back(14, string(wanted.name));

  constexpr std::uint64_t kAddress = 0x10000;  // load address of the file
  constexpr std::size_t kSegments = 3 * 56;
  const std::size_t dynamic_size = (rows.size() + 5) * 16;
  const std::string tables = versions + strings;
  const std::string padding(wanted.padding, 'x');
  std::string elf = MadeElf("");
  const std::size_t first = elf.size() + (wanted.segments_last ? 0 : kSegments);
  const std::size_t first_size = wanted.versions_first ? tables.size() : dynamic_size;
  const std::size_t second = first + first_size + padding.size();
  const std::size_t tables_at = wanted.versions_first ? first : second;
  const std::size_t dynamic_at = wanted.versions_first ? second : first;
  const std::size_t end = second + (wanted.versions_first ? dynamic_size : tables.size());

  const auto segment = [](std::uint64_t type, std::uint64_t flags, std::uint64_t offset,
                          std::uint64_t size) {
    return LittleEndian(type, 4) + LittleEndian(flags, 4) + LittleEndian(offset, 8) +
           LittleEndian(kAddress + offset, 8) + LittleEndian(0, 8) + LittleEndian(size, 8) +
           LittleEndian(size, 8) + LittleEndian(8, 8);
  };
  const std::string segments = segment(1, wanted.writable_code ? 7 : 5, 0, end) +
                               segment(2, 6, dynamic_at, dynamic_size) +
                               segment(0x6474e551, wanted.executable_stack ? 7 : 6, 0, 0);
  rows.emplace_back(5, kAddress + tables_at + versions.size());
  rows.emplace_back(10, strings.size());
  rows.emplace_back(0x6ffffffe, kAddress + tables_at);
  rows.emplace_back(0x6fffffff, wanted.names.size());
  rows.emplace_back(0, 0);
  std::string dynamic;
  for (const auto& [tag, value] : rows) dynamic += LittleEndian(tag, 8) + LittleEndian(value, 8);
  const std::string segments_at = LittleEndian(wanted.segments_last ? end : 64, 8);
  std::copy(segments_at.begin(), segments_at.end(), elf.begin() + 32);
  const std::string counts = LittleEndian(56, 2) + LittleEndian(3, 2);
  std::copy(counts.begin(), counts.end(), elf.begin() + 54);
  if (!wanted.segments_last) elf += segments;
  elf += wanted.versions_first ? tables + padding + dynamic : dynamic + padding + tables;
  if (wanted.segments_last) elf += segments;
  return elf;
}

inline std::string MadePe(unsigned machine) {
  std::string pe = "MZ";
  pe.resize(0x3C);
  pe += LittleEndian(0x40, 4) + std::string("PE\0\0", 4) + LittleEndian(machine, 2);
  // The optional header has no tables, and no section follows.
  constexpr unsigned kOptional = 240;
  pe.resize(0x40 + 20);
  pe += LittleEndian(kOptional, 2) + LittleEndian(0, 2) + LittleEndian(0x20B, 2);
  return pe + std::string(kOptional - 2, '\0');
}

}  // namespace wheelwright
