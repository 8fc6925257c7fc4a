#include "runtime/wheels/plan/artifact_buckets.h"

#include <utility>

#include "base/text.h"

namespace wheelwright {
namespace {

bool Fits(const ArtifactBucketRow& row, const RunOrigin& origin) {
  if (row.release && *row.release == origin.release_type.empty()) return false;
  if (!row.repository.empty() && !EqualsIgnoringCase(row.repository, origin.repository)) {
    return false;
  }
  if (row.fork && *row.fork != origin.fork) return false;
  // Both are UTC in the same format, so text comparison works.
  return row.updated_until.empty() ||
         (!origin.updated.empty() && origin.updated <= row.updated_until);
}

std::string Filled(std::string text, std::string_view mark, std::string_view value) {
  for (std::size_t at = text.find(mark); at != std::string::npos; at = text.find(mark, at)) {
    text.replace(at, mark.size(), value);
    at += value.size();
  }
  return text;
}

}  // namespace

std::vector<ArtifactBucketRow> ReadArtifactBuckets(const JsonCursor& rows) {
  std::vector<ArtifactBucketRow> all;
  rows.EachItem([&](const JsonCursor& row) {
    const JsonCursor when = row.At("when");
    all.push_back({.release = when.At("release").BooleanOrNothing(),
                   .repository = when.At("repository").TextOrNothing(),
                   .fork = when.At("fork").BooleanOrNothing(),
                   .updated_until = when.At("updated_until").TextOrNothing(),
                   .bucket = row.At("bucket").Text(),
                   .prefix = row.At("prefix").TextOrNothing()});
  });
  return all;
}

StoragePlace FindArtifactBucket(const std::vector<ArtifactBucketRow>& rows,
                                const RunOrigin& origin) {
  for (const ArtifactBucketRow& row : rows) {
    if (!Fits(row, origin)) continue;
    const std::size_t slash = origin.repository.find('/');
    const std::string_view repository = origin.repository;
    std::string prefix = Filled(row.prefix, "{owner}", repository.substr(0, slash));
    prefix = Filled(std::move(prefix), "{name}",
                    slash == std::string::npos ? "" : repository.substr(slash + 1));
    return {.bucket = Filled(row.bucket, "{type}", origin.release_type),
            .prefix = std::move(prefix)};
  }
  return {};
}

}  // namespace wheelwright
