// An upload in parts: its start, its end, and the proof that the server has a part.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/store/s3/s3_client.h"
#include "runtime/store/storage/storage.h"

namespace wheelwright {

// What is wrong with an answer to a put, which has to prove that the server holds these bytes; ""
// if nothing.
std::string ProblemOfPut(const HttpAnswer& answer, const ByteSource& source, std::uint64_t offset,
                         std::uint64_t length, std::string_view crc32c);
// What is wrong with a good answer, which may hold an error, or lack the ETag of what was made; ""
// if nothing.
std::string ProblemOfResult(const HttpAnswer& answer);

struct BegunUpload {
  std::string id;
  bool maybe_twice = false;  // a lost try may have begun another one
};
// With `crc`, the server is to sum what it gets, as a whole. Parts that are copied are not summed:
// some servers give them the sum of the whole original.
BegunUpload BeginUpload(S3Client& client, std::string_view key, const PutOptions& options,
                        std::string_view sha256, bool crc);
// Drops what S3 has of it. Never fails.
void AbortUpload(S3Client& client, std::string_view key, const std::string& id) noexcept;

struct UploadEnd {
  bool refused = false;     // the condition did not hold, or the upload is gone
  bool maybe_lost = false;  // a try whose answer was lost may have completed it
};
// `parts` in their order. Throws StorageError.
UploadEnd CompleteUpload(S3Client& client, std::string_view key, const std::string& id,
                         const std::vector<S3Part>& parts, const PutOptions& options);

}  // namespace wheelwright
