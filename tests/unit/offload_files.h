// Files with device code, built byte by byte.
#pragma once

#include <zlib.h>
#include <zstd.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "runtime/hip/compile/host_bundle.h"

namespace wheelwright {

template <typename Number>
std::string Bytes(Number number) {
  std::string bytes;
  for (std::size_t i = 0; i < sizeof(Number); ++i) {
    bytes += static_cast<char>(static_cast<std::uint64_t>(number) >> (8 * i) & 0xff);
  }
  return bytes;
}

inline std::string Padded(std::string text, std::size_t alignment = 4096) {
  text.resize((text.size() + alignment - 1) / alignment * alignment, '\0');
  return text;
}

// An uncompressed bundle with that many bytes for each target.
inline std::string PlainBundle(const std::vector<std::string>& targets, std::size_t size = 100) {
  std::vector<std::pair<std::string, std::string>> objects;
  for (const std::string& target : targets) objects.emplace_back(target, std::string(size, 'x'));
  return MakeBundle(objects);
}

inline std::string Packed(std::string_view text, bool zstd) {
  std::string packed(
      zstd ? ZSTD_compressBound(text.size()) : compressBound(static_cast<uLong>(text.size())),
      '\0');
  if (zstd) {
    packed.resize(ZSTD_compress(packed.data(), packed.size(), text.data(), text.size(), 3));
  } else {
    auto size = static_cast<uLongf>(packed.size());
    compress(reinterpret_cast<Bytef*>(packed.data()), &size,
             reinterpret_cast<const Bytef*>(text.data()), static_cast<uLong>(text.size()));
    packed.resize(size);
  }
  return packed;
}

// The same compressed, in one of the three versions.
inline std::string CompressedBundle(std::string_view plain, unsigned version, bool zstd) {
  const std::string packed = Packed(plain, zstd);
  std::string head = "CCOB" + Bytes<std::uint16_t>(static_cast<std::uint16_t>(version)) +
                     Bytes<std::uint16_t>(zstd ? 1 : 0);
  const std::uint64_t hash = 0x1234;
  if (version == 1)
    return head + Bytes<std::uint32_t>(static_cast<std::uint32_t>(plain.size())) + Bytes(hash) +
           packed;
  if (version == 2) {
    return head + Bytes<std::uint32_t>(static_cast<std::uint32_t>(packed.size() + 24)) +
           Bytes<std::uint32_t>(static_cast<std::uint32_t>(plain.size())) + Bytes(hash) + packed;
  }
  return head + Bytes<std::uint64_t>(packed.size() + 32) + Bytes<std::uint64_t>(plain.size()) +
         Bytes(hash) + packed;
}

// An offload binary of the new offload driver with one image.
inline std::string OffloadBinary(std::string_view arch, std::size_t size = 64) {
  const std::string strings =
      std::string("triple\0arch\0amdgcn-amd-amdhsa\0", 30) + std::string(arch) + '\0';
  const std::uint64_t entry = 32, table = entry + 40, text = table + 32;
  const std::uint64_t image = (text + strings.size() + 7) / 8 * 8;
  std::string bytes = "\x10\xff\x10\xad" + Bytes<std::uint32_t>(1) +
                      Bytes<std::uint64_t>(image + size) + Bytes(entry) + Bytes<std::uint64_t>(40);
  bytes += Bytes<std::uint16_t>(1) + Bytes<std::uint16_t>(4) + Bytes<std::uint32_t>(0) +
           Bytes(table) + Bytes<std::uint64_t>(2) + Bytes(image) + Bytes<std::uint64_t>(size);
  bytes += Bytes(text) + Bytes(text + 12) + Bytes(text + 7) + Bytes(text + 30);
  bytes += strings;
  bytes.resize(image + size, '\0');
  return bytes;
}

// An offload binary of version 2, with an image for each target.
inline std::string OffloadBinary2(const std::vector<std::string>& arches, std::size_t size = 64) {
  const std::uint64_t table = 32 + 40 * arches.size(), text = table + 48 * arches.size();
  std::string strings("triple\0arch\0amdgcn-amd-amdhsa", 29);  // values need no final zero byte
  std::string entries, rows;
  std::vector<std::uint64_t> places;
  for (const std::string& arch : arches) {
    places.push_back(text + strings.size());
    strings += arch;
  }
  const std::uint64_t images = (text + strings.size() + 7) / 8 * 8;
  for (std::size_t i = 0; i < arches.size(); ++i) {
    entries += Bytes<std::uint16_t>(1) + Bytes<std::uint16_t>(4) + Bytes<std::uint32_t>(0) +
               Bytes<std::uint64_t>(table + 48 * i) + Bytes<std::uint64_t>(2) +
               Bytes<std::uint64_t>(images + size * i) + Bytes<std::uint64_t>(size);
    rows += Bytes(text) + Bytes(text + 12) + Bytes<std::uint64_t>(17) + Bytes(text + 7) +
            Bytes(places[i]) + Bytes<std::uint64_t>(arches[i].size());
  }
  std::string bytes = "\x10\xff\x10\xad" + Bytes<std::uint32_t>(2) +
                      Bytes<std::uint64_t>(images + size * arches.size()) +
                      Bytes<std::uint64_t>(32) + Bytes<std::uint64_t>(arches.size()) + entries +
                      rows + strings;
  bytes.resize(images + size * arches.size(), '\0');
  return bytes;
}

// Short strings, arrays and maps in MessagePack.
inline std::string PackedText(const std::string& text) {
  return "\xd9" + Bytes<std::uint8_t>(static_cast<std::uint8_t>(text.size())) + text;
}
inline std::string PackedList(const std::vector<std::string>& items) {
  std::string bytes(1, static_cast<char>(0x90 + items.size()));
  for (const std::string& item : items) bytes += item;
  return bytes;
}
inline std::string PackedMap(const std::vector<std::pair<std::string, std::string>>& entries) {
  std::string bytes(1, static_cast<char>(0x80 + entries.size()));
  for (const auto& [key, value] : entries) bytes += PackedText(key) + value;
  return bytes;
}

// The marker in a library whose device code was moved to a separate file.
inline std::string KpackMarker(const std::string& name, const std::string& path) {
  return PackedMap(
      {{"kernel_name", PackedText(name)}, {"kpack_search_paths", PackedList({PackedText(path)})}});
}

// A kpack archive with code of 300 bytes for each library and GPU.
inline std::string KpackArchive(
    const std::vector<std::pair<std::string, std::vector<std::string>>>& libraries) {
  std::vector<std::pair<std::string, std::string>> rows;
  for (const auto& [library, gpus] : libraries) {
    std::vector<std::pair<std::string, std::string>> own;
    for (const std::string& gpu : gpus) {
      own.emplace_back(gpu, PackedMap({{"type", PackedText("hsaco")},
                                       {"ordinal", std::string(1, '\7')},
                                       {"original_size", "\xcd\x01\x2c"}}));
    }
    rows.emplace_back(library, PackedMap(own));
  }
  const std::string table = PackedMap({{"format_version", std::string(1, '\1')},
                                       {"gfx_arches", PackedList({PackedText("gfx1100")})},
                                       {"compression_scheme", PackedText("zstd-per-kernel")},
                                       {"toc", PackedMap(rows)}});
  const std::uint64_t at = 64 + 100;
  std::string bytes = "KPAK" + Bytes<std::uint32_t>(1) + Bytes(at);
  bytes.resize(at, '\0');
  return bytes + table;
}

// An ELF file with page-aligned sections and the section table at its end.
inline std::string ElfFile(const std::vector<std::pair<std::string, std::string>>& sections) {
  std::string names(1, '\0'), body(4096, '\0'), table(64, '\0');
  const auto row = [&](const std::string& name, std::uint64_t offset, std::uint64_t size) {
    std::string entry = Bytes<std::uint32_t>(static_cast<std::uint32_t>(names.size())) +
                        Bytes<std::uint32_t>(1) + Bytes<std::uint64_t>(2) +
                        Bytes<std::uint64_t>(0) + Bytes(offset) + Bytes(size);
    entry.resize(64, '\0');
    table += entry;
    names += name + '\0';
  };
  for (const auto& [name, bytes] : sections) {
    row(name, body.size(), bytes.size());
    body += Padded(bytes);
  }
  const std::uint64_t names_offset = body.size();
  row(".shstrtab", names_offset, names.size() + 10);
  body += Padded(names, 16);
  std::string head = std::string(
                         "\x7f"
                         "ELF\x02\x01\x01",
                         7) +
                     std::string(9, '\0') + Bytes<std::uint16_t>(3) + Bytes<std::uint16_t>(62) +
                     Bytes<std::uint32_t>(1) + Bytes<std::uint64_t>(0) + Bytes<std::uint64_t>(0) +
                     Bytes<std::uint64_t>(body.size()) + Bytes<std::uint32_t>(0) +
                     Bytes<std::uint16_t>(64) + Bytes<std::uint16_t>(56) + Bytes<std::uint16_t>(0) +
                     Bytes<std::uint16_t>(64) +
                     Bytes<std::uint16_t>(static_cast<std::uint16_t>(table.size() / 64)) +
                     Bytes<std::uint16_t>(static_cast<std::uint16_t>(table.size() / 64 - 1));
  body.replace(0, head.size(), head);
  return body + table;
}

// A PE file with one section, whose name is cut to 8 characters.
inline std::string PeFile(std::string name, const std::string& section) {
  name.resize(8, '\0');
  std::string file = "MZ" + std::string(58, '\0') + Bytes<std::uint32_t>(64);
  file += std::string("PE\0\0", 4) + Bytes<std::uint16_t>(0x8664) + Bytes<std::uint16_t>(1) +
          std::string(12, '\0') + Bytes<std::uint16_t>(0) + Bytes<std::uint16_t>(0);
  file += name + Bytes<std::uint32_t>(static_cast<std::uint32_t>(section.size())) +
          Bytes<std::uint32_t>(4096) +
          Bytes<std::uint32_t>(static_cast<std::uint32_t>(Padded(section, 512).size())) +
          Bytes<std::uint32_t>(512) + std::string(16, '\0');
  return Padded(file, 512) + Padded(section, 512);
}

inline std::string Archive(const std::vector<std::pair<std::string, std::string>>& members) {
  std::string bytes = "!<arch>\n";
  for (const auto& [name, content] : members) {
    std::string head = name + "/";
    head.resize(48, ' ');
    head += std::to_string(content.size());
    head.resize(58, ' ');
    bytes += head + "`\n" + content;
    if (content.size() % 2 != 0) bytes += '\n';
  }
  return bytes;
}

}  // namespace wheelwright
