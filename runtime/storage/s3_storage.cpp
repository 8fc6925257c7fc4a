#include "runtime/storage/s3_storage.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "base/text.h"
#include "runtime/digest/sum.h"
#include "runtime/storage/s3_sums.h"

namespace wheelwright {
namespace {

using Kind = StorageError::Kind;

constexpr std::string_view kMetadataHeader = "x-amz-meta-";

std::uint64_t ReadLength(const HttpAnswer& answer) {
  const std::string_view text = answer.Header("content-length");
  std::uint64_t length = 0;
  std::from_chars(text.data(), text.data() + text.size(), length);
  return length;
}

class S3Storage : public Storage {
 public:
  S3Storage(const StoragePlace& place, const S3Sizes& sizes, Host& host)
      : client_(place, host),
        sizes_(sizes),
        context_{client_, sizes_, std::max<std::size_t>(place.connections / 2, 1)} {}

  std::string NameOf(std::string_view key) const override { return client_.NameOf(key); }
  std::string UrlOf(std::string_view key) const override { return client_.UrlOf(key); }

  std::vector<ObjectInfo> List(std::string_view prefix) override {
    std::vector<ObjectInfo> all;
    std::string next;
    do {
      S3Request request{
          .query = {{"list-type", "2"}, {"prefix", std::string(prefix)}, {"encoding-type", "url"}}};
      if (!next.empty()) request.query.emplace_back("continuation-token", next);
      S3Listing page;
      request.check = [&](const HttpAnswer& answer) -> std::string {
        std::optional<S3Listing> read = ReadS3Listing(answer.body);
        if (!read) return "the listing cannot be read";
        page = *std::move(read);
        return {};
      };
      client_.Do(request);
      std::ranges::move(page.objects, std::back_inserter(all));
      // A server that gives the same token for ever would never let this end.
      if (page.next == next) break;
      next = std::move(page.next);
    } while (!next.empty());
    std::ranges::sort(all, {}, &ObjectInfo::key);
    return all;
  }

  std::optional<ObjectInfo> Head(std::string_view key) override { return HeadObject(client_, key); }

  std::optional<std::string> Read(std::string_view key) override {
    HttpAnswer answer = client_.Do({.key = key, .fine = {404}});
    if (answer.status == 404) return MissingObject(answer);
    return std::move(answer.body);
  }

  std::optional<std::string> ReadRange(std::string_view key, std::uint64_t offset,
                                       std::uint64_t length) override {
    if (length == 0) return Head(key) ? std::optional<std::string>("") : std::nullopt;
    const std::uint64_t last =
        length > ~std::uint64_t{0} - offset ? ~std::uint64_t{0} >> 1 : offset + length - 1;
    HttpAnswer answer =
        client_.Do({.key = key,
                    .headers = {{"Range", fmt::format("bytes={}-{}", offset, last)}},
                    .fine = {404, 416}});
    if (answer.status == 404) return MissingObject(answer);
    if (answer.status == 416) return std::string();  // it ends before
    // A server that knows no ranges sends everything.
    if (answer.status == 200) {
      return answer.body.substr(std::min<std::uint64_t>(offset, answer.body.size()), length);
    }
    return std::move(answer.body);
  }

  ObjectInfo Write(std::string_view key, std::string_view bytes,
                   const PutOptions& options) override {
    return WriteObject(client_, key, bytes, options);
  }

  ObjectInfo Upload(const std::string& path, std::string_view key, const PutOptions& options,
                    std::string_view sha256, const TransferProgress& progress) override {
    return UploadObject(context_, path, key, options, sha256, progress);
  }

  void Download(const ObjectInfo& object, const std::string& path,
                const TransferProgress& progress) override {
    DownloadObject(context_, object, path, progress);
  }

  ObjectInfo Copy(const ObjectInfo& from, std::string_view to, const PutOptions& options) override {
    return CopyObject(context_, from, to, options);
  }

  void Remove(std::string_view key) override {
    client_.Do({.method = "DELETE", .key = key, .fine = {404}});
  }

 private:
  // Without its object a key is nothing unusual; without its bucket nothing can be right.
  std::nullopt_t MissingObject(const HttpAnswer& answer) const {
    const std::optional<S3Error> error = ReadS3Error(answer.body);
    if (error && error->code == "NoSuchBucket") {
      throw StorageError(Kind::kNotFound, fmt::format("there is no bucket '{}'", client_.bucket()));
    }
    return std::nullopt;
  }

  S3Client client_;
  S3Sizes sizes_;
  S3Context context_;
};

std::optional<std::uint64_t> LengthOfPart(S3Client& client, const ObjectInfo& object,
                                          std::size_t number) {
  const HttpAnswer answer = client.Do({.method = "HEAD",
                                       .key = object.key,
                                       .query = {{"partNumber", std::to_string(number)}},
                                       .headers = {{"If-Match", object.version}},
                                       .fine = {400, 404, 405, 412, 416, 501}});
  return answer.good() ? std::optional(ReadLength(answer)) : std::nullopt;
}

// How long the parts are in which an object went up; nothing unless all but the last are alike, as
// far as the first and the last one tell.
std::optional<std::uint64_t> PartLength(S3Client& client, const ObjectInfo& object,
                                        std::size_t parts) {
  const std::optional<std::uint64_t> part = LengthOfPart(client, object, 1);
  if (!part || *part == 0 || (object.size - 1) / *part != parts - 1) return std::nullopt;
  const std::optional<std::uint64_t> last = LengthOfPart(client, object, parts);
  return last == object.size - *part * (parts - 1) ? part : std::nullopt;
}

// Of an object of which the server has neither the SHA-256 nor a CRC of the whole.
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
        fmt::format("{} is not what was put there: its {} is {:x} instead of {:x}",
                    client.NameOf(key), NameOf(crc->kind), there->crc->value, crc->value));
  }
  if (!there || there->size != size || (!sha256.empty() && there->sha256 != sha256)) {
    throw StorageError(
        Kind::kDamaged,
        there
            ? fmt::format("{} is not what was put there: it has {} bytes and SHA-256 '{}' instead "
                          "of {} and '{}'",
                          client.NameOf(key), there->size, there->sha256, size, sha256)
            : fmt::format("{} is not there, although the server took it", client.NameOf(key)));
  }
  return *std::move(there);
}

}  // namespace

std::unique_ptr<Storage> OpenBucket(const StoragePlace& place, const S3Sizes& sizes, Host& host) {
  return std::make_unique<S3Storage>(place, sizes, host);
}

std::optional<ObjectInfo> HeadObject(S3Client& client, std::string_view key) {
  const HttpAnswer answer = client.Do({.method = "HEAD",
                                       .key = key,
                                       .headers = {{"x-amz-checksum-mode", "ENABLED"}},
                                       .fine = {404}});
  if (answer.status == 404) return std::nullopt;
  return ReadObject(client, key, answer);
}

ObjectInfo ReadObject(S3Client& client, std::string_view key, const HttpAnswer& answer) {
  ObjectInfo info{.key = std::string(key),
                  .size = ReadLength(answer),
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
  constexpr int kLooks = 11;
  for (int tried = 1;; ++tried) {
    try {
      return VerifyNow(client, key, size, sha256, crc);
    } catch (const StorageError& error) {
      if (!may_be_at_work || error.kind() != Kind::kDamaged || tried == kLooks) throw;
    }
    client.Rest(tried);
  }
}

ObjectInfo TakeConflict(S3Client& client, std::string_view key, std::uint64_t size,
                        std::string_view sha256, bool may_be_ours) {
  if (may_be_ours) {
    std::optional<ObjectInfo> there = HeadObject(client, key);
    if (there && there->size == size && there->sha256 == sha256) return *std::move(there);
  }
  throw StorageError(Kind::kConflict,
                     fmt::format("{} was changed by somebody else meanwhile", client.NameOf(key)));
}

ObjectInfo WriteObject(S3Client& client, std::string_view key, std::string_view bytes,
                       const PutOptions& options) {
  const MemorySource source(bytes);
  const PartPlan plan{bytes.size(), std::max<std::uint64_t>(bytes.size(), 1), 1};
  FileSums sums;
  SumParts(source, plan, sums);
  S3Request request{
      .method = "PUT", .key = key, .headers = DescribingHeaders(options, sums.sha256)};
  std::ranges::move(ConditionHeaders(options), std::back_inserter(request.headers));
  request.headers.emplace_back("x-amz-checksum-crc32c", sums.crc32c.front());
  request.text = bytes;
  request.check = [&](const HttpAnswer& answer) {
    return ProblemOfPut(answer, source, 0, bytes.size(), sums.crc32c.front());
  };
  if (options.conditional()) request.fine = {404, 412};
  const HttpAnswer answer = client.Do(request);
  if (answer.status >= 400) {
    return TakeConflict(client, key, bytes.size(), sums.sha256, S3Client::MayHaveBeenDone());
  }
  return {.key = std::string(key),
          .size = bytes.size(),
          .version = std::string(answer.Header("etag")),
          .sha256 = sums.sha256,
          .content_type = options.content_type,
          .cache_control = options.cache_control,
          .metadata = options.metadata};
}

}  // namespace wheelwright
