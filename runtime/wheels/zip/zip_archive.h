// The table of a zip archive, read as strictly as an archive that others will install must be.
//
// A zip says everything twice: in its central directory, and in front of each entry. Tools differ
// in which they believe, so an archive whose halves differ is a different set of files to each of
// them (https://blog.pypi.org/posts/2025-08-07-wheel-archive-confusion-attacks/). Every byte has to
// belong to exactly one entry or to the directory, both accounts have to agree, and every name has
// to be one that unpacks below the folder it is unpacked into.
//
// The reading is our own because libraries hide just that: they read one of the two accounts.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/host/platform/byte_source.h"

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
  bool readable = true;      // false: a fault was found, and the content is not to be believed
};

struct ZipFault {
  std::string_view code;
  std::string message;  // no full stop; names the entry
  std::string hint;
};

struct ZipArchive {
  std::vector<ZipEntry> entries;  // in the order of the directory
};

// Nothing when there is no directory that could be read; else all entries, with a fault for each
// thing that is wrong. Reads the directory and the headers, no contents. Zip64 is read, archives in
// several parts are not.
std::optional<ZipArchive> ReadZip(const ByteSource& source, std::vector<ZipFault>& faults);

// The only entry whose name `wanted` takes. Reads the directory and that entry's header, no more:
// of an archive that is far away, a few requests. Nothing when there is no such entry, when there
// are several, or when something is wrong with it or with the directory; `faults` says which.
std::optional<ZipEntry> FindZipEntry(const ByteSource& source,
                                     const std::function<bool(std::string_view name)>& wanted,
                                     std::vector<ZipFault>& faults);

// Why an installer could not, or should not, write a file of that name; empty when it can.
std::string UnsafeNameProblem(std::string_view name);

}  // namespace wheelwright
