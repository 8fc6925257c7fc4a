// The central directory of a zip archive.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/wheels/zip/zip_archive.h"

namespace wheelwright {

struct ZipDirectory {
  std::uint64_t begin = 0;           // its first byte
  std::vector<ZipEntry> entries;     // `data` is not known yet
  std::vector<std::uint16_t> flags;  // of each entry

  // Reports a fault of an entry and marks it as not readable.
  void EntryFault(std::size_t index, std::vector<ZipFault>& faults, std::string_view code,
                  std::string message, std::string_view hint = {});
};

// Nothing when there is no readable directory. `faults` says why, and lists faults of single
// entries.
std::optional<ZipDirectory> ReadZipDirectory(const ByteSource& source,
                                             std::vector<ZipFault>& faults);

}  // namespace wheelwright
