#include "runtime/hip/code/kpack.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "base/platform/little_endian.h"
#include "base/quote.h"
#include "base/text.h"
#include "runtime/hip/code/message_pack.h"

namespace wheelwright {
namespace {

constexpr std::uint64_t kMostTable = 64 << 20;  // bytes
constexpr std::uint64_t kMostReference = 64 << 10;
constexpr std::string_view kAnyGpu = "@GFXARCH@";

std::string_view FileName(std::string_view path) { return path.substr(path.rfind('/') + 1); }

// Calls `take` with each key of a map; it reads the value. False when the bytes are no map, or when
// `take` returns false.
template <typename Take>
bool ReadMap(MessagePackReader& reader, const Take& take) {
  const auto count = reader.Map();
  if (!count) return false;
  for (std::uint64_t i = 0; i < *count; ++i) {
    const auto key = reader.Text();
    if (!key || !take(*key)) return false;
  }
  return true;
}

// {"type": "hsaco", "ordinal": 0, "original_size": 7472}; nothing when it is broken.
std::optional<std::uint64_t> ReadSize(MessagePackReader& reader) {
  std::uint64_t size = 0;
  const bool read = ReadMap(reader, [&](std::string_view key) {
    if (key != "original_size") return reader.Skip();
    const auto number = reader.Number();
    if (number) size = *number;
    return number.has_value();
  });
  return read ? std::optional(size) : std::nullopt;
}

// {"lib/libx.so": {"gfx1100": {...}, ...}, ...}
bool ReadLibraries(MessagePackReader& reader, OffloadBundle& archive) {
  return ReadMap(reader, [&](std::string_view library) {
    return ReadMap(reader, [&](std::string_view gpu) {
      const auto size = ReadSize(reader);
      if (!size || archive.images.size() >= kMostBundles) return false;
      archive.images.push_back(
          {.id = std::string(library), .target = ParseGfxTarget(gpu), .size = *size});
      archive.unpacked += std::min(*size, std::uint64_t{1} << 40);
      return true;
    });
  });
}

}  // namespace

std::optional<KpackReference> ReadKpackReference(const ByteSource& source, std::uint64_t offset,
                                                 std::uint64_t size) {
  std::vector<Byte> bytes(static_cast<std::size_t>(std::min(size, kMostReference)));
  if (!source.ReadAt(offset, bytes)) return std::nullopt;
  MessagePackReader reader(bytes);
  KpackReference reference;
  const bool read = ReadMap(reader, [&](std::string_view key) {
    if (key == "kernel_name") {
      const auto name = reader.Text();
      if (name) reference.name = *name;
      return name.has_value();
    }
    if (key != "kpack_search_paths") return reader.Skip();
    const auto count = reader.List();
    for (std::uint64_t i = 0; count && i < *count; ++i) {
      const auto path = reader.Text();
      if (!path) return false;
      reference.paths.emplace_back(*path);
    }
    return count.has_value();
  });
  if (!read || reference.name.empty() || reference.paths.empty()) return std::nullopt;
  return reference;
}

bool MayName(const KpackReference& reference, std::string_view path) {
  const std::string_view file = FileName(path);
  return std::ranges::any_of(reference.paths, [&](const std::string& known) {
    const std::string_view pattern = FileName(known);
    const std::size_t at = pattern.find(kAnyGpu);
    if (at == std::string_view::npos) return file == pattern;
    const std::string_view end = pattern.substr(at + kAnyGpu.size());
    return file.size() > at + end.size() && file.starts_with(pattern.substr(0, at)) &&
           file.ends_with(end);
  });
}

std::optional<OffloadBundle> ReadKpack(const ByteSource& source, BundleProblem& problem) {
  const auto fail = [&](std::string message, bool unknown = false) {
    problem = {.unknown = unknown, .message = std::move(message)};
    return std::nullopt;
  };
  std::array<Byte, 16> head{};
  if (source.size() < head.size() || !source.ReadAt(0, head)) {
    return fail("the kpack archive ends inside its head");
  }
  OffloadBundle archive{.kind = BundleKind::kKpack, .version = U32(head, 4), .size = source.size()};
  if (archive.version != 1) {
    return fail(fmt::format("it is a kpack archive of version {}; known is 1", archive.version),
                true);
  }
  const auto at = U64(head, 8);
  if (at < head.size() || at >= source.size()) {
    return fail("the table of the kpack archive lies behind its end");
  }
  if (source.size() - at > kMostTable) return fail("the table of the kpack archive is too long");
  std::vector<Byte> table(static_cast<std::size_t>(source.size() - at));
  if (!source.ReadAt(at, table)) return fail("the table of the kpack archive cannot be read");
  MessagePackReader reader(table);
  bool has_libraries = false;
  const bool read = ReadMap(reader, [&](std::string_view key) {
    if (key == "compression_scheme") {
      const auto scheme = reader.Text();
      if (scheme) archive.method = Printable(*scheme);
      return scheme.has_value();
    }
    if (key != "toc") return reader.Skip();
    has_libraries = true;
    return ReadLibraries(reader, archive);
  });
  if (!read || !has_libraries) return fail("the table of the kpack archive is broken");
  return archive;
}

}  // namespace wheelwright
