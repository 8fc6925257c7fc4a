#include "runtime/hip/code/wheel_code.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <utility>

#include "base/parallel.h"
#include "base/platform/little_endian.h"
#include "base/quote.h"
#include "base/text.h"
#include "runtime/hip/code/entry_stream.h"
#include "runtime/hip/code/part_source.h"
#include "runtime/wheels/native/elf.h"
#include "runtime/wheels/wheel/wheel_name.h"
#include "runtime/wheels/zip/zip_archive.h"

namespace wheelwright {
namespace {

// A unit of work: an entry of an archive, or a file that is none.
struct Piece {
  std::size_t file;
  const ZipEntry* entry;  // null: the file itself
  std::uint64_t cost;
  std::vector<DeviceObject> found;
  std::string problem;
};

bool IsArchive(const std::string& path) { return path.ends_with(".whl") || path.ends_with(".zip"); }

void ReadPacked(const ByteSource& archive, Piece& piece, UnpackBudget& budget) {
  const EntryStream stream(archive, *piece.entry);
  std::array<Byte, 20> head{};
  if (stream.size() >= head.size() && stream.ReadAt(0, head) && MayHoldDeviceCode(head)) {
    const bool is_elf = FormatOf(head) == ObjectFormat::kElf;
    EntryScan scan{.may_hold_code = true, .chains = {}};
    // A code object is recognized by its header; other ELF files are scanned.
    if (is_elf && U16(head, 18) != kElfAmdGpu) scan = ScanElf(stream, budget);
    if (scan.may_hold_code) {
      piece.found = FindDeviceCode(stream, piece.entry->name, budget, scan.chains);
    }
  }
  piece.problem = stream.problem();
}

void ReadPiece(const ByteSource& source, std::string_view path, Piece& piece) {
  UnpackBudget budget;
  if (piece.entry == nullptr) {
    piece.found = FindDeviceCode(source, path, budget);
  } else if (!piece.entry->deflated) {
    piece.found = FindDeviceCode(PartSource(source, piece.entry->data, piece.entry->size),
                                 piece.entry->name, budget);
  } else {
    ReadPacked(source, piece, budget);
  }
}

std::string_view WithoutFolder(std::string_view path) {
  return path.substr(path.find_last_of("/\\") + 1);
}

}  // namespace

std::vector<WheelCode> ReadWheelCode(const std::vector<InspectedFile>& files, std::size_t threads) {
  std::vector<WheelCode> wheels(files.size());
  std::vector<ZipArchive> archives(files.size());
  std::vector<Piece> pieces;
  for (std::size_t i = 0; i < files.size(); ++i) {
    const InspectedFile& file = files[i];
    WheelCode& wheel = wheels[i];
    wheel.file = WithoutFolder(file.path);
    if (file.source == nullptr) {
      wheel.problems.push_back(file.problem);
      continue;
    }
    wheel.size = file.source->size();
    if (!IsArchive(file.path)) {
      pieces.push_back({.file = i, .entry = nullptr, .cost = 0});
      continue;
    }
    if (const auto name = ReadWheelName(wheel.file).name) wheel.project = name->Project();
    std::vector<ZipFault> faults;
    if (auto archive = ReadZip(*file.source, faults)) archives[i] = *std::move(archive);
    for (const ZipFault& fault : faults) wheel.problems.push_back(fault.message);
    for (const ZipEntry& entry : archives[i].entries) {
      if (!entry.readable || entry.folder) continue;
      pieces.push_back({.file = i, .entry = &entry, .cost = entry.deflated ? entry.size : 0});
    }
  }

  std::ranges::stable_sort(pieces, std::greater(), &Piece::cost);
  ParallelFor(pieces.size(), threads, [&](std::size_t i) {
    Piece& piece = pieces[i];
    ReadPiece(*files[piece.file].source, wheels[piece.file].file, piece);
  });

  for (Piece& piece : pieces) {
    WheelCode& wheel = wheels[piece.file];
    if (!piece.problem.empty()) {
      wheel.problems.push_back(
          fmt::format("{} cannot be unpacked: {}", Quoted(piece.entry->name), piece.problem));
    }
    const bool packed = piece.entry != nullptr && piece.entry->size > 0;
    const double packing =
        packed ? static_cast<double>(piece.entry->packed) / static_cast<double>(piece.entry->size)
               : 1;
    for (DeviceObject& object : piece.found) wheel.objects.push_back({std::move(object), packing});
  }
  for (WheelCode& wheel : wheels) {
    std::ranges::sort(wheel.problems);
    std::ranges::stable_sort(wheel.objects, {},
                             [](const WheelObject& object) { return object.code.name; });
  }
  return wheels;
}

std::vector<TargetShare> SharesOf(const std::vector<WheelObject>& objects) {
  std::map<GfxTarget, TargetShare> shares;
  for (const WheelObject& object : objects) {
    for (const OffloadBundle& bundle : object.code.bundles) {
      const double factor = bundle.unpacked == 0 ? 1
                                                 : static_cast<double>(bundle.size) /
                                                       static_cast<double>(bundle.unpacked);
      for (const OffloadImage& image : bundle.images) {
        if (!image.target) continue;
        TargetShare& share = shares[*image.target];
        share.target = *image.target;
        const double stored = static_cast<double>(image.size) * factor;
        ++share.images;
        share.unpacked += image.size;
        share.stored += static_cast<std::uint64_t>(std::llround(stored));
        share.packed += static_cast<std::uint64_t>(std::llround(stored * object.packing));
      }
    }
  }
  std::vector<TargetShare> list;
  for (auto& [target, share] : shares) list.push_back(std::move(share));
  return list;
}

}  // namespace wheelwright
