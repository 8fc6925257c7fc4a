// A bucket as a store.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/host/environment/host.h"
#include "runtime/store/s3/part_plan.h"
#include "runtime/store/s3/s3_client.h"
#include "runtime/store/storage/storage.h"
#include "runtime/store/storage/storage_place.h"

namespace wheelwright {

// The SHA-256 of an object stands in its metadata by this name, which PyTorch's tools read too:
// sums that S3 computes of an upload in parts are sums of sums.
inline constexpr std::string_view kShaMetadata = "checksum-sha256";

// Where things are done in parts, in bytes. Tests make them smaller.
struct S3Sizes {
  std::uint64_t upload_part = std::uint64_t{32} << 20;
  std::uint64_t download_range = std::uint64_t{16} << 20;
  // A server that says nothing until it has copied more would be given up on. 5 GiB are the most.
  std::uint64_t copy_whole = std::uint64_t{1} << 30;
  std::uint64_t copy_part = std::uint64_t{512} << 20;
};

std::unique_ptr<Storage> OpenBucket(const StoragePlace& place, const S3Sizes& sizes, Host& host);

// Parts of the above, one a file.
struct S3Context {
  S3Client& client;
  const S3Sizes& sizes;
  std::size_t parts_at_once = 8;
};

std::optional<ObjectInfo> HeadObject(S3Client& client, std::string_view key);
// Why an answer that should hold an object does not tell where it ends, or "".
std::string ProblemOfBody(const HttpAnswer& answer);
// Whether a part of an object begins where it was asked to.
bool IsRangeFrom(const HttpAnswer& answer, std::uint64_t offset);
// What the answer to a GET or HEAD says of an object. Asks once more where it takes the length of
// parts to use the sum that the server has.
ObjectInfo ReadObject(S3Client& client, std::string_view key, const HttpAnswer& answer);
ObjectInfo WriteObject(S3Client& client, std::string_view key, std::string_view bytes,
                       const PutOptions& options);
ObjectInfo UploadObject(const S3Context& context, const std::string& path, std::string_view key,
                        const PutOptions& options, std::string_view sha256,
                        const TransferProgress& progress);
void DownloadObject(const S3Context& context, const ObjectInfo& object, const std::string& path,
                    const TransferProgress& progress);
ObjectInfo CopyObject(const S3Context& context, const ObjectInfo& from, std::string_view to,
                      const PutOptions& options);

// Content type, caching and metadata as headers, the sum among them.
HttpHeaders DescribingHeaders(const PutOptions& options, std::string_view sha256);
// The conditions of a put.
HttpHeaders ConditionHeaders(const PutOptions& options);
// Whether the answer to a put proves that the server holds these bytes; "" if so, else what is
// wrong.
std::string ProblemOfPut(const HttpAnswer& answer, const ByteSource& source, std::uint64_t offset,
                         std::uint64_t length, std::string_view crc32c);
// What a refused condition means. If a try whose answer was lost may have done the work, and what
// is there is what was to be put, it is done; else this throws kConflict.
ObjectInfo TakeConflict(S3Client& client, std::string_view key, std::uint64_t size,
                        std::string_view sha256, bool may_be_ours);
// What is there now, which has to be what was put: of that size, and of those sums that both know.
//
// Servers that put a large object together for longer than a client waits answer the client's next
// try at once, while the first is still at work: until that is done, the object is not there yet,
// or is the one before. So where `may_be_at_work`, this looks again, for about a minute.
ObjectInfo VerifyObject(S3Client& client, std::string_view key, std::uint64_t size,
                        std::string_view sha256, const std::optional<WholeCrc>& crc,
                        bool may_be_at_work);

// An upload in parts that was begun: gives the id. What S3 has of it is dropped by AbortUpload,
// which never fails. With `crc`, the server is to sum what it gets, as a whole; parts that are
// copied are not summed, because some servers give them the sum of the whole original.
std::string BeginUpload(S3Client& client, std::string_view key, const PutOptions& options,
                        std::string_view sha256, bool crc);
void AbortUpload(S3Client& client, std::string_view key, const std::string& id) noexcept;
// Gives the object's ETag, or throws; `parts` in their order. Nothing when the condition did not
// hold or the upload is gone, which the caller has to look into.
std::optional<std::string> CompleteUpload(S3Client& client, std::string_view key,
                                          const std::string& id, const std::vector<S3Part>& parts,
                                          const PutOptions& options);

}  // namespace wheelwright
