#include "runtime/store/s3/s3_storage.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/quote.h"
#include "base/text.h"
#include "runtime/store/s3/s3_object.h"

namespace wheelwright {
namespace {

using Kind = StorageError::Kind;

// Joins the pages of a listing. Checks them, so that a faulty server can neither hide objects nor
// cause an endless loop.
class Pages {
 public:
  explicit Pages(std::string_view prefix) : prefix_(prefix) {}

  // The problem of the page, or "".
  std::string Problem(const S3Listing& page) const {
    for (const ObjectInfo& object : page.objects) {
      if (object.key.starts_with(prefix_)) continue;
      return fmt::format("the listing has {}, which was not requested", Quoted(object.key));
    }
    if (!page.truncated) return {};
    if (page.next.empty()) return "the listing is truncated, and has no continuation token";
    if (tokens_.contains(page.next)) return "the listing is circular";
    if (page.objects.empty() && empty_pages_ >= kMostEmptyPages) return "the listing is endless";
    return {};
  }

  // False when there are too many.
  bool Add(S3Listing page) {
    empty_pages_ = page.objects.empty() ? empty_pages_ + 1 : 0;
    tokens_.insert(page.next);
    std::ranges::move(page.objects, std::back_inserter(objects_));
    return objects_.size() <= kMostObjects;
  }

  std::vector<ObjectInfo> Take() {
    std::ranges::sort(objects_, {}, &ObjectInfo::key);
    return std::move(objects_);
  }

  // A page has at most 1,000 keys of 1,024 bytes, each byte as three at most, and some 500 bytes
  // more of each object. Several folders are listed at the same time.
  static constexpr std::size_t kLongest = std::size_t{4} << 20;

  // A family's folder of several years has some 20,000.
  static constexpr std::size_t kMostObjects = 500'000;

 private:
  // Servers may send empty pages after many removals.
  static constexpr std::size_t kMostEmptyPages = 1000;

  std::string_view prefix_;
  std::vector<ObjectInfo> objects_;
  std::set<std::string> tokens_;
  std::size_t empty_pages_ = 0;
};

// The problem of the answer to a range request, or "". Servers without ranges send everything.
std::string ProblemOfRange(const HttpAnswer& answer, std::uint64_t offset, std::uint64_t length) {
  if (std::string problem = ProblemOfBody(answer); !problem.empty()) return problem;
  if (answer.status != 206) return {};
  if (!IsRangeFrom(answer, offset)) return "the server sends another range";
  return answer.body.size() <= length ? "" : "the server sends more than was requested";
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
          .query = {{"list-type", "2"}, {"prefix", std::string(prefix)}, {"encoding-type", "url"}},
          .longest = Pages::kLongest};
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
    HttpAnswer answer = client_.Do({.key = key, .accepted = {404}, .check = ProblemOfBody});
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
         .accepted = {404, 416},
         .check = [&](const HttpAnswer& got) { return ProblemOfRange(got, offset, length); }});
    if (answer.status == 404) return MissingObject(answer);
    if (answer.status == 416) return std::string();  // the offset is behind the end
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
    client_.Do({.method = "DELETE", .key = key, .accepted = {404}});
  }

 private:
  // A missing object is normal; a missing bucket is an error.
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

}  // namespace

std::unique_ptr<Storage> OpenBucket(const StoragePlace& place, const S3Sizes& sizes, Host& host) {
  return std::make_unique<S3Storage>(place, sizes, host);
}

}  // namespace wheelwright
