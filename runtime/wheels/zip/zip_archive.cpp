#include "runtime/wheels/zip/zip_archive.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <unordered_set>
#include <utility>

#include "base/quote.h"
#include "base/text.h"
#include "runtime/wheels/zip/zip_directory.h"
#include "runtime/wheels/zip/zip_records.h"

namespace wheelwright {
namespace {

using namespace zip;  // NOLINT(google-build-using-namespace): the records that it is made of

constexpr std::uint32_t kLocalHeader = 0x04034b50;
constexpr std::uint32_t kDescriptor = 0x08074b50;
constexpr std::size_t kLocalSize = 30;
constexpr std::uint16_t kMeaningfulFlags =
    kEncrypted | kDescribedBehind | kPatch | kStronglyEncrypted | kUtf8 | kMasked;

// Compares the directory with the local headers and data descriptors.
class ZipReader {
 public:
  ZipReader(const ByteSource& source, ZipDirectory directory, std::vector<ZipFault>& faults)
      : source_(source), directory_(std::move(directory)), faults_(faults) {}

  ZipArchive ReadAll() {
    for (std::size_t i = 0; i < directory_.entries.size(); ++i) ReadLocalHeader(i);
    CheckNames();
    CheckLayout();
    return {std::move(directory_.entries)};
  }

  std::optional<ZipEntry> ReadOnly(const std::function<bool(std::string_view)>& wanted) {
    std::optional<std::size_t> found;
    for (std::size_t i = 0; i < directory_.entries.size(); ++i) {
      if (!wanted(directory_.entries[i].name)) continue;
      if (found)
        return Broken(fmt::format("{} is not the only one", Quoted(directory_.entries[i].name)));
      found = i;
    }
    if (!found) return Broken("no entry has the name that is looked for");
    ReadLocalHeader(*found);
    const ZipEntry& entry = directory_.entries[*found];
    if (!entry.readable) return std::nullopt;
    if (entry.data > directory_.begin || entry.packed > directory_.begin - entry.data) {
      return Broken(fmt::format("{} reaches into the directory", Quoted(entry.name)));
    }
    return entry;
  }

 private:
  void Fault(std::string_view code, std::string message, std::string_view hint = {}) {
    faults_.push_back({code, std::move(message), std::string(hint)});
  }

  std::nullopt_t Broken(std::string message) {
    Fault("zip-broken", std::move(message));
    return std::nullopt;
  }

  void EntryFault(std::size_t index, std::string_view code, std::string message,
                  std::string_view hint = {}) {
    directory_.EntryFault(index, faults_, code, std::move(message), hint);
  }

  void ReadLocalHeader(std::size_t index) {
    ZipEntry& entry = directory_.entries[index];
    const std::string name = Quoted(entry.name);
    Byte head[kLocalSize];
    if (!source_.ReadAt(entry.header, head) || U32(head) != kLocalHeader) {
      EntryFault(index, "zip-broken", fmt::format("{} is not where the directory says", name));
      return;
    }
    const std::size_t name_size = U16(head + 26), extra_size = U16(head + 28);
    rest_.resize(name_size + extra_size);
    if (!source_.ReadAt(entry.header + kLocalSize, rest_)) {
      EntryFault(index, "zip-broken", fmt::format("the header of {} is cut off", name));
      return;
    }
    entry.data = entry.header + kLocalSize + rest_.size();
    Account local{.flags = U16(head + 6),
                  .method = U16(head + 8),
                  .crc = U32(head + 14),
                  .packed = U32(head + 18),
                  .size = U32(head + 22),
                  .name = {reinterpret_cast<const char*>(rest_.data()), name_size}};
    ReadExtra(rest_.data() + name_size, extra_size, false, local);
    if (!local.problem.empty()) {
      EntryFault(index, "zip-broken", fmt::format("{}: {}", name, local.problem));
      return;
    }
    // With a data descriptor, the local header may leave these fields empty.
    const bool behind = (directory_.flags[index] & kDescribedBehind) != 0;
    const auto differs = [&](std::string_view what) {
      EntryFault(
          index, "zip-mismatch",
          fmt::format("{}: the directory and the entry's own header differ in the {}", name, what),
          "tools that use one unpack other files than tools that use the other");
    };
    const auto number_differs = [behind](std::uint64_t mine, std::uint64_t own) {
      return mine != own && !(behind && mine == 0);
    };
    if (local.name != entry.name) return differs("name");
    if (((local.flags ^ directory_.flags[index]) & kMeaningfulFlags) != 0) return differs("flags");
    if (local.method != (entry.deflated ? 8 : 0) && entry.readable) return differs("method");
    if (number_differs(local.packed, entry.packed)) return differs("packed size");
    if (number_differs(local.size, entry.size)) return differs("size");
    if (number_differs(local.crc, entry.crc)) return differs("CRC-32");
  }

  void CheckNames() {
    std::unordered_set<std::string_view> names, folders;
    for (std::size_t i = 0; i < directory_.entries.size(); ++i) {
      const ZipEntry& entry = directory_.entries[i];
      std::string_view name = entry.name;
      std::string problem = UnsafeNameProblem(name);
      if (problem.empty() && (directory_.flags[i] & kUtf8) == 0 &&
          std::ranges::any_of(name, [](char c) { return (c & 0x80) != 0; })) {
        problem = "it is not ASCII, and not marked as UTF-8";
      }
      if (!problem.empty()) {
        EntryFault(i, "zip-name", fmt::format("{} is no safe name: {}", Quoted(name), problem));
      }
      if (entry.folder) name.remove_suffix(1);
      if (!names.insert(name).second) {
        EntryFault(i, "zip-duplicate", fmt::format("{} is there twice", Quoted(entry.name)),
                   "tools differ in which one they use");
      }
      if (entry.folder) folders.insert(name);
      for (std::size_t slash = name.rfind('/'); slash != std::string_view::npos && slash > 0;
           slash = name.rfind('/', slash - 1)) {
        if (!folders.insert(name.substr(0, slash)).second) break;
      }
    }
    for (std::size_t i = 0; i < directory_.entries.size(); ++i) {
      const ZipEntry& entry = directory_.entries[i];
      if (entry.folder || !folders.contains(entry.name)) continue;
      EntryFault(i, "zip-duplicate",
                 fmt::format("{} is both a file and a folder", Quoted(entry.name)));
    }
  }

  // Checks that every byte before the directory belongs to one entry.
  void CheckLayout() {
    std::vector<std::size_t> order(directory_.entries.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::sort(order, {},
                      [&](std::size_t i) { return std::pair(directory_.entries[i].header, i); });
    std::uint64_t at = 0;
    for (std::size_t i = 0; i < order.size(); ++i) {
      const std::size_t index = order[i];
      const ZipEntry& entry = directory_.entries[index];
      const std::string name = Quoted(entry.name);
      if (entry.data == 0) continue;  // already reported
      if (entry.header < at) {
        EntryFault(index, "zip-overlap", fmt::format("{} overlaps another entry", name),
                   "so a small archive unpacks to a huge one");
      } else if (entry.header > at) {
        Fault("zip-stray-bytes",
              fmt::format("no entry owns the {} before {}",
                          Count(static_cast<std::size_t>(entry.header - at), "byte"), name));
      }
      const std::uint64_t next =
          i + 1 < order.size() ? directory_.entries[order[i + 1]].header : directory_.begin;
      if (entry.data > directory_.begin || entry.packed > directory_.begin - entry.data) {
        EntryFault(index, "zip-overlap", fmt::format("{} reaches into the directory", name));
        at = directory_.begin;
        continue;
      }
      at = std::max(at, entry.data + entry.packed);
      if ((directory_.flags[index] & kDescribedBehind) != 0) at += CheckDescriptor(index, next);
    }
    if (at < directory_.begin) {
      Fault("zip-stray-bytes",
            fmt::format("no entry owns the {} before the directory",
                        Count(static_cast<std::size_t>(directory_.begin - at), "byte")));
    }
  }

  // Checks a data descriptor and returns its length. It has no fixed form: with or without a
  // signature, sizes in 32 or 64 bits. The space before `next` decides.
  std::uint64_t CheckDescriptor(std::size_t index, std::uint64_t next) {
    const ZipEntry& entry = directory_.entries[index];
    const std::uint64_t begin = entry.data + entry.packed;
    const std::uint64_t length = next > begin ? next - begin : 0;
    Byte record[24];
    if ((length == 12 || length == 16 || length == 20 || length == 24) &&
        source_.ReadAt(begin, std::span(record, static_cast<std::size_t>(length)))) {
      const bool has_signature = length % 8 == 0;
      const std::size_t width = length >= 20 ? 8 : 4;
      const Byte* at = record + (has_signature ? 4 : 0);
      const auto number = [&](const Byte* place) { return width == 4 ? U32(place) : U64(place); };
      if ((!has_signature || U32(record) == kDescriptor) && U32(at) == entry.crc &&
          number(at + 4) == entry.packed && number(at + 4 + width) == entry.size) {
        return length;
      }
    }
    EntryFault(
        index, "zip-mismatch",
        fmt::format("{}: the directory and the record behind the data differ", Quoted(entry.name)),
        "tools that read from front to back see another file");
    return 0;
  }

  const ByteSource& source_;
  ZipDirectory directory_;
  std::vector<ZipFault>& faults_;
  std::vector<Byte> rest_;  // of a header
};

}  // namespace

std::string UnsafeNameProblem(std::string_view name) {
  if (name.empty()) return "it is empty";
  if (FindForeignByte(name) || name.find_first_of("\t\n") != std::string_view::npos) {
    return "it holds a control character or is not UTF-8";
  }
  if (name.find('\\') != std::string_view::npos) return "it holds a backslash";
  if (name.find(':') != std::string_view::npos) return "it holds a colon, which names a drive";
  if (name.starts_with('/')) return "it is absolute";
  if (name.ends_with('/')) name.remove_suffix(1);
  for (const std::string_view part : Split(name, '/')) {
    if (part.empty()) return "it has an empty part";
    if (part == "." || part == "..") return fmt::format("it has a part '{}'", part);
  }
  return {};
}

std::optional<ZipArchive> ReadZip(const ByteSource& source, std::vector<ZipFault>& faults) {
  std::optional<ZipDirectory> directory = ReadZipDirectory(source, faults);
  if (!directory) return std::nullopt;
  return ZipReader(source, *std::move(directory), faults).ReadAll();
}

std::optional<ZipEntry> FindZipEntry(const ByteSource& source,
                                     const std::function<bool(std::string_view)>& wanted,
                                     std::vector<ZipFault>& faults) {
  std::optional<ZipDirectory> directory = ReadZipDirectory(source, faults);
  if (!directory) return std::nullopt;
  return ZipReader(source, *std::move(directory), faults).ReadOnly(wanted);
}

}  // namespace wheelwright
