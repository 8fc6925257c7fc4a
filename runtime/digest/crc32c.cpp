#include "runtime/digest/crc32c.h"

#include <array>
#include <cstring>

#if defined(__x86_64__) && defined(__GNUC__)
#include <nmmintrin.h>
#endif

namespace wheelwright {
namespace {

// The polynomial 0x1EDC6F41, its bits reversed. Tables for eight bytes at a time.
constexpr auto kTables = [] {
  std::array<std::array<std::uint32_t, 256>, 8> tables{};
  for (std::uint32_t byte = 0; byte < 256; ++byte) {
    std::uint32_t crc = byte;
    for (int bit = 0; bit < 8; ++bit) crc = crc >> 1 ^ (crc & 1 ? 0x82F63B78u : 0);
    tables[0][byte] = crc;
  }
  for (std::size_t i = 1; i < 8; ++i) {
    for (std::size_t byte = 0; byte < 256; ++byte) {
      const std::uint32_t before = tables[i - 1][byte];
      tables[i][byte] = before >> 8 ^ tables[0][before & 255];
    }
  }
  return tables;
}();

std::uint32_t ByTable(std::uint32_t crc, std::span<const Byte> bytes) {
  while (bytes.size() >= 8) {
    std::uint32_t next = 0;
    for (std::size_t i = 0; i < 4; ++i) {
      next ^= kTables[7 - i][(crc >> (8 * i) & 255) ^ bytes[i]];
      next ^= kTables[3 - i][bytes[4 + i]];
    }
    crc = next;
    bytes = bytes.subspan(8);
  }
  for (const Byte byte : bytes) crc = crc >> 8 ^ kTables[0][(crc ^ byte) & 255];
  return crc;
}

#if defined(__x86_64__) && defined(__GNUC__)

__attribute__((target("sse4.2"))) std::uint32_t ByInstruction(std::uint32_t crc,
                                                              std::span<const Byte> bytes) {
  std::uint64_t wide = crc;
  while (bytes.size() >= 8) {
    std::uint64_t eight = 0;
    std::memcpy(&eight, bytes.data(), 8);
    wide = _mm_crc32_u64(wide, eight);
    bytes = bytes.subspan(8);
  }
  auto narrow = static_cast<std::uint32_t>(wide);
  for (const Byte byte : bytes) narrow = _mm_crc32_u8(narrow, byte);
  return narrow;
}

#endif

}  // namespace

std::uint32_t Crc32c(std::uint32_t crc, std::span<const Byte> bytes) {
#if defined(__x86_64__) && defined(__GNUC__)
  static const bool has_instruction = __builtin_cpu_supports("sse4.2") != 0;
  if (has_instruction) return ~ByInstruction(~crc, bytes);
#endif
  return ~ByTable(~crc, bytes);
}

}  // namespace wheelwright
