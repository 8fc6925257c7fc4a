// Where the artifacts of a run lie: the table artifact_buckets of the matrix.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/store/storage/storage_place.h"
#include "selection/json_cursor.h"

namespace wheelwright {

// A row. What it leaves out fits everything.
struct ArtifactBucketRow {
  std::optional<bool> release;
  std::string repository;
  std::optional<bool> fork;
  std::string updated_until;  // "2025-11-11T16:18:48Z": runs that changed last until then
  std::string bucket;         // {type} stands for the release type
  std::string prefix;         // {owner} and {name} for those of the repository
};

// Of which run it is.
struct RunOrigin {
  std::string repository;    // "ROCm/TheRock"
  bool fork = false;         // whether its code came from another one
  std::string release_type;  // "": none
  std::string updated;       // "" when it runs just now
};

std::vector<ArtifactBucketRow> ReadArtifactBuckets(const JsonCursor& rows);

// The bucket and prefix of the first row that fits; neither when none does.
StoragePlace FindArtifactBucket(const std::vector<ArtifactBucketRow>& rows,
                                const RunOrigin& origin);

}  // namespace wheelwright
