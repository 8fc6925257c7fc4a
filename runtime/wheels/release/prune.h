// Takes old versions of ROCm out of a folder of an index: first off the pages, some days later out
// of the store. So nothing is removed that a page lists, and who has just read a page finds its
// files.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/store/storage/storage.h"
#include "runtime/wheels/index/index_writer.h"
#include "runtime/wheels/plan/plan.h"
#include "runtime/wheels/version/package_version.h"

namespace wheelwright {

struct PruneRules {
  std::size_t newest = 0;                      // versions that stay
  std::map<PackageVersion, std::string> kept;  // others that stay, with the reason
  std::chrono::days days{};                    // between leaving the pages and removal
};

enum class Fate : std::uint8_t {
  kStays,
  kReturns,  // it was retired, and stays now
  kRetires,  // leaves the pages now
  kWaits,    // has left the pages, but not long enough ago
  kLeaves,   // is removed now
};
std::string_view NameOf(Fate fate);  // "stays"

// A file with those beside it, such as its metadata and bundles.
struct PrunedFile {
  std::string file;
  Fate fate = Fate::kStays;
  std::uint64_t size = 0;         // of all
  std::vector<std::string> keys;  // its own first, if it is there
};

struct PrunedVersion {
  std::optional<PackageVersion> rocm;  // nothing: files that name no known version, which stay
  std::string why;  // "one of the newest 60", "named by the record of 7.12.0a20260219"
  std::vector<PrunedFile> files;
};

struct PrunePlan {
  std::vector<PrunedVersion> versions;  // the newest first

  // Whether Prune() has something to do. What waits may still be on a page, if the program was
  // killed before it wrote the index.
  bool Changes() const;

  std::size_t Count(Fate fate) const;
  std::uint64_t Size(Fate fate) const;
};

// `folder` ends with a slash. `releases`: the folder whose packages of ROCm say which versions
// there are; staging may have wheels alone. Files that the record of a version that stays names
// stay too (release_record.h). Files that name no known version of ROCm stay, unless they were
// retired before. Throws StorageError.
PrunePlan PlanPrune(Storage& storage, std::string_view folder, std::string_view releases,
                    const Plan& plan, const PruneRules& rules,
                    std::chrono::system_clock::time_point now);

// Does it: marks files, writes the index, removes what no page lists. Safe to repeat, and amid a
// publication: the pages take no file that they do not have yet, but those that return. Throws
// StorageError, also when a file that should be removed is to stay after all; then none is removed.
IndexResult Prune(Storage& storage, std::string_view folder, const PrunePlan& plan,
                  const IndexOptions& index, std::chrono::system_clock::time_point now);

}  // namespace wheelwright
