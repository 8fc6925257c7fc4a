// A wheel as it lies on a disk: its table, the texts it describes itself with, and a sum of each
// file in it.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/source.h"
#include "runtime/host/platform/byte_source.h"
#include "runtime/store/digest/digest.h"
#include "runtime/wheels/native/native_library.h"
#include "runtime/wheels/wheel/dist_info.h"
#include "runtime/wheels/wheel/wheel_name.h"
#include "runtime/wheels/zip/zip_archive.h"

namespace wheelwright {

// One of the texts below NAME-VERSION.dist-info/.
struct WheelText {
  bool found = false;
  std::string problem;  // why it could not be read, though it is there; empty when it was
  FileId file = kNoFile;
  std::string_view text;  // kept by the SourceManager
};

// What reading a file of the wheel from end to end told.
struct EntryFacts {
  std::string sum;      // raw
  std::string problem;  // why it cannot be unpacked; empty when it can
  NativeFacts native;
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

  static constexpr std::size_t kNoRow = ~std::size_t{0};
};

// Opens a wheel and reads its tables and texts, no more. Always gives a value.
WheelContents OpenWheel(const std::string& path, std::unique_ptr<ByteSource> source,
                        std::string problem, SourceManager& sources);

// Unpacks every file of all the wheels, in memory and a piece at a time, on so many threads: the
// largest first, so that no core waits for one that came last. Each is summed by the algorithm that
// its row in RECORD names.
void ReadEntries(std::vector<WheelContents>& wheels, std::size_t threads);

}  // namespace wheelwright
