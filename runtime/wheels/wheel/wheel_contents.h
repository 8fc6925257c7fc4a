// The contents of a wheel: its entries, the texts in its .dist-info folder, and the sum of each
// file.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/platform/byte_source.h"
#include "base/source.h"
#include "runtime/store/digest/digest.h"
#include "runtime/wheels/native/native_library.h"
#include "runtime/wheels/wheel/dist_info.h"
#include "runtime/wheels/wheel/wheel_name.h"
#include "runtime/wheels/zip/zip_archive.h"

namespace wheelwright {

// One of the texts below NAME-VERSION.dist-info/.
struct WheelText {
  bool found = false;
  std::string problem;  // why it could not be read, or ""
  FileId file = kNoFile;
  std::string_view text;  // kept by the SourceManager
};

// The facts from unpacking an entry.
struct EntryFacts {
  std::string sum;      // raw
  std::string problem;  // why it cannot be unpacked, or ""
  NativeFacts native;
  bool script = false;  // whether it begins with "#!"
};

struct WheelContents {
  std::string file;  // its name, without a folder
  WheelNameReading reading;
  std::unique_ptr<ByteSource> source;  // null when it cannot be opened
  std::string problem;                 // why
  std::vector<ZipFault> faults;
  bool is_archive = false;
  ZipArchive archive;
  std::vector<std::string> dist_infos;  // folders "x.dist-info" at the top, sorted
  WheelText record, metadata, wheel;    // of the first of them
  std::vector<RecordRow> rows;          // of RECORD
  std::vector<std::size_t> row_of;      // for each entry, the first row with its name, or kNoRow
  std::vector<EntryFacts> facts;        // for each entry; empty for those that cannot be read
  bool too_many_names = false;          // of libraries and versions: some `facts` have none

  static constexpr std::size_t kNoRow = ~std::size_t{0};
};

// Opens a wheel and reads its entries and texts, but no other files. Records problems in the
// result.
WheelContents OpenWheel(const std::string& path, std::unique_ptr<ByteSource> source,
                        std::string problem, SourceManager& sources);

// Unpacks all files of all wheels in memory, piece by piece, on so many threads, the largest first.
// Computes the sum of each by the algorithm of its row in RECORD.
void ReadEntries(std::vector<WheelContents>& wheels, std::size_t threads);

}  // namespace wheelwright
