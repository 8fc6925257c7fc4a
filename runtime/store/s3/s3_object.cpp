#include "runtime/store/s3/s3_object.h"

#include <fmt/format.h>

#include "base/text.h"
#include "runtime/store/s3/s3_sums.h"

namespace wheelwright {
namespace {

using Kind = StorageError::Kind;

constexpr std::string_view kMetadataHeader = "x-amz-meta-";

// Nothing if the answer does not say it.
std::optional<std::uint64_t> ReadLength(const HttpAnswer& answer) {
  return ReadWholeNumber(answer.Header("content-length"));
}

// The problem of an answer whose length differs from its header, or "".
std::string ProblemOfLength(const HttpAnswer& answer) {
  return ReadLength(answer) ? "" : "the answer does not say how long the object is";
}

std::optional<std::uint64_t> LengthOfPart(S3Client& client, const ObjectInfo& object,
                                          std::size_t number) {
  const HttpAnswer answer = client.Do({.method = "HEAD",
                                       .key = object.key,
                                       .query = {{"partNumber", std::to_string(number)}},
                                       .headers = {{"If-Match", object.version}},
                                       .accepted = {400, 404, 405, 412, 416, 501}});
  return answer.good() ? ReadLength(answer) : std::nullopt;
}

// The length of an object's parts; nothing unless the first and the last part are consistent with
// equal parts.
std::optional<std::uint64_t> PartLength(S3Client& client, const ObjectInfo& object,
                                        std::size_t parts) {
  const std::optional<std::uint64_t> part = LengthOfPart(client, object, 1);
  if (!part || *part == 0 || (object.size - 1) / *part != parts - 1) return std::nullopt;
  const std::optional<std::uint64_t> last = LengthOfPart(client, object, parts);
  return last == object.size - *part * (parts - 1) ? part : std::nullopt;
}

// The sum of an object without a SHA-256 and without a CRC of the whole.
std::optional<KnownSum> OtherSum(const ObjectInfo& object, const HttpAnswer& answer,
                                 S3Client& client) {
  if (std::string md5 = ReadMd5(answer); !md5.empty()) {
    return KnownSum{{DigestKind::kMd5}, std::move(md5)};
  }
  std::optional<PartsSum> sum = ReadPartsSum(answer);
  if (!sum) return std::nullopt;
  constexpr std::uint64_t kAll = ~std::uint64_t{0};
  const std::optional<std::uint64_t> part =
      sum->parts == 1 ? kAll : PartLength(client, object, sum->parts);
  if (!part) return std::nullopt;
  return KnownSum{{sum->kind, *part}, std::move(sum->sum)};
}

ObjectInfo VerifyNow(S3Client& client, std::string_view key, std::uint64_t size,
                     std::string_view sha256, const std::optional<WholeCrc>& crc) {
  std::optional<ObjectInfo> there = HeadObject(client, key);
  if (there && there->crc && crc && there->crc->kind == crc->kind && there->crc != crc) {
    throw StorageError(
        Kind::kDamaged,
        fmt::format("{} is not what was uploaded: its {} is {:x} instead of {:x}",
                    client.NameOf(key), NameOf(crc->kind), there->crc->value, crc->value));
  }
  if (!there || there->size != size || (!sha256.empty() && there->sha256 != sha256)) {
    throw StorageError(
        Kind::kDamaged,
        there ? fmt::format("{} is not what was uploaded: it has {} bytes and SHA-256 '{}' instead "
                            "of {} and '{}'",
                            client.NameOf(key), there->size, there->sha256, size, sha256)
              : fmt::format("{} is not there, although the server took it", client.NameOf(key)));
  }
  return *std::move(there);
}

}  // namespace

std::optional<ObjectInfo> HeadObject(S3Client& client, std::string_view key) {
  const HttpAnswer answer = client.Do({.method = "HEAD",
                                       .key = key,
                                       .headers = {{"x-amz-checksum-mode", "ENABLED"}},
                                       .accepted = {404},
                                       .check = ProblemOfLength});
  if (answer.status == 404) return std::nullopt;
  return ReadObject(client, key, answer);
}

std::string ProblemOfBody(const HttpAnswer& answer) {
  // Without either header, a cut connection would look like the end of the object.
  if (ReadLength(answer) || !answer.Header("transfer-encoding").empty()) return {};
  return "the answer does not say how long it is";
}

bool IsRangeFrom(const HttpAnswer& answer, std::uint64_t offset) {
  return answer.Header("content-range").starts_with(fmt::format("bytes {}-", offset));
}

ObjectInfo ReadObject(S3Client& client, std::string_view key, const HttpAnswer& answer) {
  ObjectInfo info{.key = std::string(key),
                  .size = ReadLength(answer).value_or(answer.body.size()),
                  .version = std::string(answer.Header("etag")),
                  .content_type = std::string(answer.Header("content-type")),
                  .cache_control = std::string(answer.Header("cache-control"))};
  for (const auto& [name, value] : answer.headers) {
    if (name.starts_with(kMetadataHeader)) {
      info.metadata[name.substr(kMetadataHeader.size())] = value;
    }
  }
  if (const auto sum = info.metadata.find(std::string(kShaMetadata)); sum != info.metadata.end()) {
    info.sha256 = sum->second;
  } else {
    info.sha256 = ReadWholeSha256(answer);
  }
  info.crc = ReadWholeCrc(answer);
  if (info.sha256.empty() && !info.crc) info.other_sum = OtherSum(info, answer, client);
  return info;
}

HttpHeaders DescribingHeaders(const PutOptions& options, std::string_view sha256) {
  HttpHeaders headers;
  if (!options.content_type.empty()) headers.emplace_back("Content-Type", options.content_type);
  if (!options.cache_control.empty()) headers.emplace_back("Cache-Control", options.cache_control);
  for (const auto& [name, value] : options.metadata) {
    if (name != kShaMetadata) headers.emplace_back(std::string(kMetadataHeader) + name, value);
  }
  if (!sha256.empty()) {
    headers.emplace_back(fmt::format("{}{}", kMetadataHeader, kShaMetadata), sha256);
  }
  return headers;
}

HttpHeaders ConditionHeaders(const PutOptions& options) {
  if (options.if_absent) return {{"If-None-Match", "*"}};
  if (!options.if_version.empty()) return {{"If-Match", options.if_version}};
  return {};
}

ObjectInfo VerifyObject(S3Client& client, std::string_view key, std::uint64_t size,
                        std::string_view sha256, const std::optional<WholeCrc>& crc,
                        bool may_be_at_work) {
  constexpr RetryPolicy kWhileItWorks{
      .tries = 100, .first = std::chrono::milliseconds(400), .deadline = std::chrono::minutes(1)};
  for (Retry retry(kWhileItWorks, client.host());;) {
    try {
      return VerifyNow(client, key, size, sha256, crc);
    } catch (const StorageError& error) {
      const bool again = may_be_at_work && error.kind() == Kind::kDamaged;
      if (!again || !retry.Again()) throw;
    }
  }
}

ObjectInfo TakeConflict(S3Client& client, std::string_view key, std::uint64_t size,
                        std::string_view sha256, bool may_be_ours) {
  if (may_be_ours) {
    std::optional<ObjectInfo> there = HeadObject(client, key);
    if (there && there->size == size && there->sha256 == sha256) return *std::move(there);
  }
  throw StorageError(
      Kind::kConflict,
      fmt::format("{} was changed by another writer in the meantime", client.NameOf(key)));
}

}  // namespace wheelwright
