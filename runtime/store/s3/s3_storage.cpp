#include "runtime/store/s3/s3_storage.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <set>

#include "base/quote.h"
#include "base/text.h"
#include "runtime/store/digest/sum.h"
#include "runtime/store/s3/s3_sums.h"

namespace wheelwright {
namespace {

using Kind = StorageError::Kind;

constexpr std::string_view kMetadataHeader = "x-amz-meta-";

// Nothing where the answer does not say it.
std::optional<std::uint64_t> ReadLength(const HttpAnswer& answer) {
  const std::string_view text = answer.Header("content-length");
  std::uint64_t length = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), length);
  if (text.empty() || error != std::errc() || end != text.data() + text.size()) {
    return std::nullopt;
  }
  return length;
}

// What is wrong with an answer that should be as long as it says.
std::string ProblemOfLength(const HttpAnswer& answer) {
  return ReadLength(answer) ? "" : "the answer does not say how long the object is";
}

// Pages of a listing, put together. A server that lies about what follows would let objects vanish,
// or never let this end.
class Pages {
 public:
  explicit Pages(std::string_view prefix) : prefix_(prefix) {}

  // What is wrong with the page, or "".
  std::string Problem(const S3Listing& page) const {
    for (const ObjectInfo& object : page.objects) {
      if (object.key.starts_with(prefix_)) continue;
      return fmt::format("the listing has {}, which was not asked for", Quoted(object.key));
    }
    if (!page.truncated) return {};
    if (page.next.empty()) return "the listing is cut off, and does not say where it goes on";
    if (tokens_.contains(page.next)) return "the listing goes round in a circle";
    if (page.objects.empty() && barren_ >= kMostBarren) return "the listing has no end";
    return {};
  }

  // False when there are too many.
  bool Add(S3Listing page) {
    barren_ = page.objects.empty() ? barren_ + 1 : 0;
    tokens_.insert(page.next);
    std::ranges::move(page.objects, std::back_inserter(objects_));
    return objects_.size() <= kMostObjects;
  }

  std::vector<ObjectInfo> Take() {
    std::ranges::sort(objects_, {}, &ObjectInfo::key);
    return std::move(objects_);
  }

  // A family's folder of years has some 20,000.
  static constexpr std::size_t kMostObjects = 500'000;

 private:
  // Servers may give pages without an object where many were removed.
  static constexpr std::size_t kMostBarren = 1000;

  std::string_view prefix_;
  std::vector<ObjectInfo> objects_;
  std::set<std::string> tokens_;
  std::size_t barren_ = 0;
};

// What is wrong with a part of an object that was asked for, or "". A server that knows no ranges
// sends everything.
std::string ProblemOfRange(const HttpAnswer& answer, std::uint64_t offset, std::uint64_t length) {
  if (std::string problem = ProblemOfBody(answer); !problem.empty()) return problem;
  if (answer.status != 206) return {};
  if (!IsRangeFrom(answer, offset)) return "the server gives another range";
  return answer.body.size() <= length ? "" : "the server gives more than was asked for";
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
    Pages pages(prefix);
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
        return pages.Problem(page);
      };
      client_.Do(request);
      next = page.next;
      if (!pages.Add(std::move(page))) {
        throw StorageError(Kind::kLocal,
                           fmt::format("{} has more than {} objects: is this the right folder?",
                                       NameOf(prefix), WithThousands(Pages::kMostObjects)));
      }
    } while (!next.empty());
    return pages.Take();
  }

  std::optional<ObjectInfo> Head(std::string_view key) override { return HeadObject(client_, key); }

  std::optional<std::string> Read(std::string_view key) override {
    HttpAnswer answer = client_.Do({.key = key, .fine = {404}, .check = ProblemOfBody});
    if (answer.status == 404) return MissingObject(answer);
    return std::move(answer.body);
  }

  std::optional<std::string> ReadRange(std::string_view key, std::uint64_t offset,
                                       std::uint64_t length) override {
    if (length == 0) return Head(key) ? std::optional<std::string>("") : std::nullopt;
    const std::uint64_t last =
        length > ~std::uint64_t{0} - offset ? ~std::uint64_t{0} >> 1 : offset + length - 1;
    HttpAnswer answer = client_.Do(
        {.key = key,
         .headers = {{"Range", fmt::format("bytes={}-{}", offset, last)}},
         .fine = {404, 416},
         .check = [&](const HttpAnswer& got) { return ProblemOfRange(got, offset, length); }});
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
  return answer.good() ? ReadLength(answer) : std::nullopt;
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
                                       .fine = {404},
                                       .check = ProblemOfLength});
  if (answer.status == 404) return std::nullopt;
  return ReadObject(client, key, answer);
}

std::string ProblemOfBody(const HttpAnswer& answer) {
  // Without either, a connection that was cut would be the end of the object.
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
