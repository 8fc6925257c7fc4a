// A strict reader of zip archives, for files that others will install.
//
// A zip describes each entry twice: in the central directory and in a local header. Tools differ in
// which they use, so an archive whose descriptions differ gives different files
// (https://blog.pypi.org/posts/2025-08-07-wheel-archive-confusion-attacks/). Every byte must belong
// to exactly one entry or to the directory, both descriptions must agree, and every name must stay
// below the folder it is unpacked into.
//
// Own code, because libraries read only one of the two descriptions.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/platform/byte_source.h"

namespace wheelwright {

struct ZipEntry {
  std::string name;  // UTF-8, with `/`
  bool folder = false;
  bool deflated = false;  // else stored
  std::uint32_t crc = 0;
  std::uint64_t packed = 0;  // in bytes, as is `size`
  std::uint64_t size = 0;    // unpacked, as declared
  std::uint64_t header = 0;  // where its header starts
  std::uint64_t data = 0;    // where its packed bytes start
  std::uint32_t mode = 0;    // of Unix; 0 where the archive has none
  bool readable = true;      // false: the entry has a fault
};

struct ZipFault {
  std::string_view code;
  std::string message;  // no full stop; names the entry
  std::string hint;
};

struct ZipArchive {
  std::vector<ZipEntry> entries;  // in the order of the directory
};

// Reads the directory and the headers, but no contents. Nothing when there is no readable
// directory; else all entries, and all faults. Supports Zip64, but not archives in several parts.
std::optional<ZipArchive> ReadZip(const ByteSource& source, std::vector<ZipFault>& faults);

// The only entry whose name `wanted` accepts. Reads just the directory and that entry's header, for
// archives in a store. Nothing when there are none or several, or when entry or directory has a
// fault; `faults` says which.
std::optional<ZipEntry> FindZipEntry(const ByteSource& source,
                                     const std::function<bool(std::string_view name)>& wanted,
                                     std::vector<ZipFault>& faults);

// Why an installer cannot or should not write a file of that name, or "".
std::string UnsafeNameProblem(std::string_view name);

}  // namespace wheelwright
