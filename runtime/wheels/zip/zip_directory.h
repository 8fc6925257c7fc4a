// The directory at the end of a zip archive: one of the two accounts of what is in it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/wheels/zip/zip_archive.h"

namespace wheelwright {

struct ZipDirectory {
  std::uint64_t begin = 0;           // where it starts, and what it tells of ends
  std::vector<ZipEntry> entries;     // `data` is not known yet
  std::vector<std::uint16_t> flags;  // of each entry

  // Reports a fault of an entry, whose content is not to be believed then.
  void EntryFault(std::size_t index, std::vector<ZipFault>& faults, std::string_view code,
                  std::string message, std::string_view hint = {});
};

// Nothing when there is no directory that can be read; `faults` says why then, and what is wrong
// with single entries.
std::optional<ZipDirectory> ReadZipDirectory(const ByteSource& source,
                                             std::vector<ZipFault>& faults);

}  // namespace wheelwright
