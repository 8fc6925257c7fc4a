// The records of a zip archive, for the readers of the directory and of local headers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/platform/little_endian.h"

namespace wheelwright {

// https://pkware.cachefly.net/webdocs/casestudies/APPNOTE.TXT, sections 4.3 to 4.5.
namespace zip {

constexpr std::uint16_t kEncrypted = 1, kDescribedBehind = 1 << 3, kPatch = 1 << 5,
                        kStronglyEncrypted = 1 << 6, kUtf8 = 1 << 11, kMasked = 1 << 13;

// One of the two descriptions of an entry.
struct Account {
  std::uint16_t flags = 0;
  std::uint16_t method = 0;
  std::uint32_t crc = 0;
  std::uint64_t packed = 0;
  std::uint64_t size = 0;
  std::uint64_t header = 0;
  std::string_view name;
  std::string problem;  // of its extra fields
};

// Reads the extra fields of an entry, which replace 32-bit fields that are full. `directory`: the
// fields are of the directory, else of a local header.
void ReadExtra(const Byte* extra, std::size_t length, bool directory, Account& account);

}  // namespace zip
}  // namespace wheelwright
