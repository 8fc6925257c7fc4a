// Steps of a multipart upload.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/store/s3/s3_client.h"
#include "runtime/store/storage/storage.h"

namespace wheelwright {

// The problem of an answer to a put, which must prove that the server has these bytes; "" if none.
std::string ProblemOfPut(const HttpAnswer& answer, const ByteSource& source, std::uint64_t offset,
                         std::uint64_t length, std::string_view crc32c);
// The problem of a 2xx answer, which may hold an error or lack the new object's ETag; "" if none.
std::string ProblemOfResult(const HttpAnswer& answer);

struct BegunUpload {
  std::string id;
  bool maybe_twice = false;  // a try without an answer may have begun another upload
};
// With `crc`, the server computes the CRC of the whole. Not for copied parts, to which some servers
// give the sum of the whole original.
BegunUpload BeginUpload(S3Client& client, std::string_view key, const PutOptions& options,
                        std::string_view sha256, bool crc);
// Deletes the parts that S3 has. Ignores failures.
void AbortUpload(S3Client& client, std::string_view key, const std::string& id) noexcept;

struct UploadEnd {
  bool refused = false;     // the condition failed, or the upload is gone
  bool maybe_lost = false;  // a try without an answer may have completed it
};
// `parts` are in order. Throws StorageError.
UploadEnd CompleteUpload(S3Client& client, std::string_view key, const std::string& id,
                         const std::vector<S3Part>& parts, const PutOptions& options);

}  // namespace wheelwright
