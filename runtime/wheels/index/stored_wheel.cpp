#include "runtime/wheels/index/stored_wheel.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <optional>
#include <utility>

#include "base/quote.h"
#include "base/text.h"
#include "runtime/wheels/wheel/dist_info.h"
#include "runtime/wheels/wheel/wheel_name.h"
#include "runtime/wheels/zip/zip_archive.h"
#include "runtime/wheels/zip/zip_stream.h"

namespace wheelwright {
namespace {

constexpr std::uint64_t kLeastRead = 64 * 1024;
// The longest METADATA of the public index has some 500 kB.
constexpr std::uint64_t kMostMetadata = 4 << 20;

// "NAME.dist-info/METADATA".
bool IsMetadata(std::string_view name) {
  constexpr std::string_view kEnd = ".dist-info/METADATA";
  return name.ends_with(kEnd) && name.find('/') == name.size() - 9;
}

}  // namespace

std::string OnOneLine(std::string_view value) {
  if (FindForeignByte(value) || value.find('\n') != std::string_view::npos) return {};
  return std::string(Trim(value));
}

bool StoredSource::ReadAt(std::uint64_t offset, std::span<Byte> out) const {
  if (offset > size_ || out.size() > size_ - offset) return false;
  const std::lock_guard lock(mutex_);
  for (const Piece& piece : pieces_) {
    if (offset < piece.offset || offset - piece.offset > piece.bytes.size()) continue;
    const auto at = static_cast<std::size_t>(offset - piece.offset);
    if (out.size() > piece.bytes.size() - at) continue;
    std::memcpy(out.data(), piece.bytes.data() + at, out.size());
    return true;
  }
  const std::uint64_t length =
      std::min(std::max<std::uint64_t>(kLeastRead, out.size()), size_ - offset);
  std::optional<std::string> bytes = storage_.ReadRange(key_, offset, length);
  // A failed read does not mean a broken wheel, which would be removed from the index.
  if (!bytes || bytes->size() != length) {
    throw StorageError(
        StorageError::Kind::kDamaged,
        fmt::format("{} bytes of {} from {} on were asked for, and {} came; was it replaced?",
                    length, storage_.NameOf(key_), offset,
                    bytes ? std::to_string(bytes->size()) : "none"));
  }
  std::memcpy(out.data(), bytes->data(), out.size());
  pieces_.push_back({offset, *std::move(bytes)});
  return true;
}

WheelMetadata ReadStoredMetadata(const ByteSource& wheel, std::string_view file) {
  std::vector<ZipFault> faults;
  const std::optional<ZipEntry> entry = FindZipEntry(wheel, IsMetadata, faults);
  if (!entry) return {.problem = faults.empty() ? "it has no METADATA" : faults.back().message};
  std::string problem;
  std::optional<std::string> text = ReadZipEntry(wheel, *entry, kMostMetadata, problem);
  if (!text) return {.problem = fmt::format("{}: {}", entry->name, problem)};
  return ReadMetadataText(*std::move(text), file);
}

WheelMetadata ReadMetadataText(std::string text, std::string_view file) {
  const WheelNameReading name = ReadWheelName(file);
  if (!name.name) return {.problem = name.problem};
  const Headers headers = ReadHeaders(text);
  const Header* project = headers.Find("Name");
  const Header* version = headers.Find("Version");
  if (project == nullptr || version == nullptr) {
    return {.problem = "its METADATA does not say its name and version"};
  }
  const std::optional<PackageVersion> number = ParsePackageVersion(version->value);
  if (NormalizeProject(project->value) != name.name->Project() || !number ||
      *number != name.name->version) {
    return {.problem = fmt::format("its METADATA is about {} {}", Quoted(project->value),
                                   Quoted(version->value))};
  }
  const Header* python = headers.Find("Requires-Python");
  WheelMetadata metadata{.requires_python = python != nullptr ? OnOneLine(python->value) : ""};
  metadata.text = std::move(text);
  return metadata;
}

}  // namespace wheelwright
