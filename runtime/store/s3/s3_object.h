// One object of a bucket: what the server says of it, and whether that is what was put there.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "runtime/store/digest/sum.h"
#include "runtime/store/s3/s3_client.h"
#include "runtime/store/storage/storage.h"

namespace wheelwright {

// The SHA-256 of an object stands in its metadata by this name, which PyTorch's tools read too:
// sums that S3 computes of an upload in parts are sums of sums.
inline constexpr std::string_view kShaMetadata = "checksum-sha256";

std::optional<ObjectInfo> HeadObject(S3Client& client, std::string_view key);
// Why an answer that should hold an object does not tell where it ends, or "".
std::string ProblemOfBody(const HttpAnswer& answer);
// Whether a part of an object begins where it was asked to.
bool IsRangeFrom(const HttpAnswer& answer, std::uint64_t offset);
// What the answer to a GET or HEAD says of an object. Asks once more where it takes the length of
// parts to use the sum that the server has.
ObjectInfo ReadObject(S3Client& client, std::string_view key, const HttpAnswer& answer);
// Content type, caching and metadata as headers, the sum among them.
HttpHeaders DescribingHeaders(const PutOptions& options, std::string_view sha256);
// The conditions of a put.
HttpHeaders ConditionHeaders(const PutOptions& options);
// What a refused condition means. If a lost try may have done the work (`may_be_ours`), and the
// object that is there is the one to put, it is done; else this throws kConflict.
ObjectInfo TakeConflict(S3Client& client, std::string_view key, std::uint64_t size,
                        std::string_view sha256, bool may_be_ours);
// The object that is there now. Throws kDamaged unless it has that size, and those of the sums that
// both sides know.
//
// A server that takes long to put a large object together answers the client's next try at once,
// while it still works on the first one: until then the object is missing, or is the one before. So
// with `may_be_at_work` this looks again, for up to a minute.
ObjectInfo VerifyObject(S3Client& client, std::string_view key, std::uint64_t size,
                        std::string_view sha256, const std::optional<WholeCrc>& crc,
                        bool may_be_at_work);

}  // namespace wheelwright
