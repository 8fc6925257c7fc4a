// The records of a zip archive, as two readers need them: that of the directory, and that of the
// headers in front of the entries.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "runtime/host/platform/little_endian.h"

namespace wheelwright {

// https://pkware.cachefly.net/webdocs/casestudies/APPNOTE.TXT, sections 4.3 to 4.5.
namespace zip {

constexpr std::uint16_t kEncrypted = 1, kDescribedBehind = 1 << 3, kPatch = 1 << 5,
                        kStronglyEncrypted = 1 << 6, kUtf8 = 1 << 11, kMasked = 1 << 13;

// What one of the two accounts says of an entry.
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

// Reads the extra fields of an entry. Fields of 32 bits that are full have their values in one of
// them. `directory`: it is the directory's account, else that in front of the entry.
void ReadExtra(const Byte* extra, std::size_t length, bool directory, Account& account);

}  // namespace zip
}  // namespace wheelwright
