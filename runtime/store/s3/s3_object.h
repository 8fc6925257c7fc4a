// One object of a bucket: its description, and its verification after a put.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "runtime/store/digest/sum.h"
#include "runtime/store/s3/s3_client.h"
#include "runtime/store/storage/storage.h"

namespace wheelwright {

// The metadata with the SHA-256 of an object, which PyTorch's tools read too. (The sums that S3
// itself computes of multipart uploads are sums of sums.)
inline constexpr std::string_view kShaMetadata = "checksum-sha256";

std::optional<ObjectInfo> HeadObject(S3Client& client, std::string_view key);
// The problem of an answer with an object whose end is not marked, or "".
std::string ProblemOfBody(const HttpAnswer& answer);
// Whether the range of an answer begins at `offset`.
bool IsRangeFrom(const HttpAnswer& answer, std::uint64_t offset);
// The object that the answer to a GET or HEAD describes. Sends one more request if the server's sum
// depends on the length of parts.
ObjectInfo ReadObject(S3Client& client, std::string_view key, const HttpAnswer& answer);
// The headers for content type, caching and metadata, including the SHA-256.
HttpHeaders DescribingHeaders(const PutOptions& options, std::string_view sha256);
// The headers for the conditions of a put.
HttpHeaders ConditionHeaders(const PutOptions& options);
// Handles a failed condition. If an earlier try without an answer may have succeeded
// (`may_be_ours`) and the stored object is the right one, returns it; else throws kConflict.
ObjectInfo TakeConflict(S3Client& client, std::string_view key, std::uint64_t size,
                        std::string_view sha256, bool may_be_ours);
// Returns the stored object. Throws kDamaged if its size, or a sum that both sides know, differs.
//
// A server may answer a retry at once while it still assembles the object of the first try. Until
// then the object is missing or old, so with `may_be_at_work` this polls for up to a minute.
ObjectInfo VerifyObject(S3Client& client, std::string_view key, std::uint64_t size,
                        std::string_view sha256, const std::optional<WholeCrc>& crc,
                        bool may_be_at_work);

}  // namespace wheelwright
