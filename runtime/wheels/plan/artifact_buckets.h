// Finds the bucket with the artifacts of a run: the table artifact_buckets of the matrix.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/store/storage/storage_place.h"
#include "selection/json_cursor.h"

namespace wheelwright {

// A row. Missing columns match everything.
struct ArtifactBucketRow {
  std::optional<bool> release;
  std::string repository;
  std::optional<bool> fork;
  std::string updated_until;  // "2025-11-11T16:18:48Z": runs whose last change was not later
  std::string bucket;         // {type} stands for the release type
  std::string prefix;         // {owner} and {name} for those of the repository
};

// The properties of a run that rows match.
struct RunOrigin {
  std::string repository;    // "ROCm/TheRock"
  bool fork = false;         // whether its code came from a fork
  std::string release_type;  // "": none
  std::string updated;       // "" when it runs just now
};

std::vector<ArtifactBucketRow> ReadArtifactBuckets(const JsonCursor& rows);

// The bucket and prefix of the first row that matches; both empty when none does.
StoragePlace FindArtifactBucket(const std::vector<ArtifactBucketRow>& rows,
                                const RunOrigin& origin);

}  // namespace wheelwright
