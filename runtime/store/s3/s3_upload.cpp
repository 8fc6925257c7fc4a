#include <fmt/format.h>

#include <algorithm>

#include "base/parallel.h"
#include "runtime/store/digest/sum.h"
#include "runtime/store/s3/s3_storage.h"
#include "runtime/store/s3/s3_sums.h"

namespace wheelwright {
namespace {

using Kind = StorageError::Kind;

// Others' uploads to the same key that are looked at for parts to go on from.
constexpr std::size_t kMostLookedAt = 4;
// Uploads that are begun before somebody else's ending them is a conflict.
constexpr int kUploadTries = 3;

// One file on its way up.
class FileUpload {
 public:
  FileUpload(const S3Context& context, const ByteSource& source, std::string_view key,
             const PutOptions& options, const TransferProgress& progress)
      : context_(context),
        client_(context.client),
        source_(source),
        key_(key),
        options_(options),
        progress_(progress),
        plan_(PlanParts(source.size(), context.sizes.upload_part)) {}

  ObjectInfo Run(const std::string& path, std::string_view sha256) {
    if (!SumParts(source_, plan_, sums_)) {
      throw StorageError(Kind::kLocal, fmt::format("cannot read {}", path));
    }
    if (!sha256.empty() && sums_.sha256 != sha256) {
      throw StorageError(Kind::kLocal,
                         fmt::format("{} is not what it was: its SHA-256 is {}, and was {}", path,
                                     sums_.sha256, sha256));
    }
    if (plan_.count == 1) return PutWhole();
    if (const std::string pending = FindPending(); !pending.empty()) {
      // Begun by a program that was killed, which may have described it in another way.
      if (const auto done = PutParts(pending, true); done && Describes(*done)) return *done;
    }
    for (int tried = 1; tried <= kUploadTries; ++tried) {
      parts_.assign(plan_.count, {});
      if (const auto done = PutParts(Begin(), false)) return *done;
    }
    throw StorageError(Kind::kConflict,
                       fmt::format("{}: somebody else ends the upload", client_.NameOf(key_)));
  }

 private:
  // Tells of bytes once, however often they go out.
  class Told {
   public:
    explicit Told(const TransferProgress& progress) : progress_(progress) {}
    void Restart() { sent_ = 0; }
    void Add(std::uint64_t bytes) {
      sent_ += bytes;
      if (sent_ <= told_) return;
      if (progress_) progress_(sent_ - told_);
      told_ = sent_;
    }

   private:
    const TransferProgress& progress_;
    std::uint64_t sent_ = 0, told_ = 0;
  };

  void GiveBody(S3Request& request, std::size_t part, Told& told) {
    request.source = &source_;
    request.offset = plan_.OffsetOf(part);
    request.length = plan_.LengthOf(part);
    request.headers.emplace_back("x-amz-checksum-crc32c", sums_.crc32c[part]);
    request.before_try = [&told](S3Request&) { told.Restart(); };
    request.on_sent = [&told](std::uint64_t bytes) { told.Add(bytes); };
    request.check = [this, part](const HttpAnswer& answer) {
      return ProblemOfPut(answer, source_, plan_.OffsetOf(part), plan_.LengthOf(part),
                          sums_.crc32c[part]);
    };
  }

  ObjectInfo PutWhole() {
    Told told(progress_);
    S3Request request{
        .method = "PUT", .key = key_, .headers = DescribingHeaders(options_, sums_.sha256)};
    std::ranges::move(ConditionHeaders(options_), std::back_inserter(request.headers));
    GiveBody(request, 0, told);
    if (options_.conditional()) request.fine = {404, 412};
    const HttpAnswer answer = client_.Do(request);
    if (answer.status >= 400) {
      return TakeConflict(client_, key_, plan_.size, sums_.sha256, S3Client::MayHaveBeenDone());
    }
    return {.key = std::string(key_),
            .size = plan_.size,
            .version = std::string(answer.Header("etag")),
            .sha256 = sums_.sha256,
            .content_type = options_.content_type,
            .cache_control = options_.cache_control,
            .metadata = options_.metadata};
  }

  void PutPart(const std::string& id, std::size_t index) {
    Told told(progress_);
    if (parts_[index].number != 0) {  // it is there and right
      told.Add(plan_.LengthOf(index));
      return;
    }
    S3Request request{.method = "PUT",
                      .key = key_,
                      .query = {{"partNumber", std::to_string(index + 1)}, {"uploadId", id}}};
    GiveBody(request, index, told);
    const HttpAnswer answer = client_.Do(request);
    parts_[index] = {.number = static_cast<int>(index + 1),
                     .size = plan_.LengthOf(index),
                     .etag = std::string(answer.Header("etag")),
                     .crc32c = std::string(answer.Header("x-amz-checksum-crc32c"))};
  }

  // Nothing when the upload is gone: somebody else finished or aborted it.
  std::optional<ObjectInfo> PutParts(const std::string& id, bool resumed) {
    parts_.resize(plan_.count);
    try {
      ParallelFor(plan_.count, std::min(plan_.count, context_.parts_at_once),
                  [&](std::size_t i) { PutPart(id, i); });
      const bool finished = CompleteUpload(client_, key_, id, parts_, options_).has_value();
      const bool may_be_ours = S3Client::MayHaveBeenDone();
      if (!finished && options_.conditional()) {
        return TakeConflict(client_, key_, plan_.size, sums_.sha256, may_be_ours);
      }
      if (!finished) {
        const std::optional<ObjectInfo> there = HeadObject(client_, key_);
        const bool same = there && there->size == plan_.size && there->sha256 == sums_.sha256;
        return same ? there : std::nullopt;
      }
      return VerifyObject(client_, key_, plan_.size,
                          resumed ? std::string_view() : std::string_view(sums_.sha256),
                          sums_.whole, may_be_ours);
    } catch (const StorageError& error) {
      if (error.kind() == Kind::kNotFound) return std::nullopt;
      AbortUpload(client_, key_, id);
      throw;
    }
  }

  bool Describes(const ObjectInfo& info) const {
    return info.sha256 == sums_.sha256 &&
           (options_.content_type.empty() || info.content_type == options_.content_type);
  }

  // Uploads to this key that were begun and neither finished nor aborted, the oldest first.
  std::vector<std::string> Pending() {
    const HttpAnswer answer = client_.Do(
        {.query = {{"uploads", ""}, {"prefix", std::string(key_)}, {"encoding-type", "url"}},
         .fine = {400, 403, 404, 405, 501}});
    std::vector<std::string> ids;
    for (const S3PendingUpload& upload :
         ReadS3PendingUploads(answer.body).value_or(std::vector<S3PendingUpload>())) {
      if (upload.key == key_) ids.push_back(upload.id);
    }
    return ids;
  }

  // One of them that is of this file, with all that is there being right; "" for none.
  std::string FindPending() {
    pending_ = Pending();
    const std::size_t most = std::min(pending_.size(), kMostLookedAt);
    for (std::size_t i = 1; i <= most; ++i) {
      const std::string& id = pending_[pending_.size() - i];
      if (TakeParts(id)) return id;
    }
    return {};
  }

  std::string Begin() {
    std::string id = BeginUpload(client_, key_, options_, sums_.sha256, true);
    if (!S3Client::MayHaveBeenDone()) return id;
    // A try whose answer was lost may have begun another one, which nobody would ever end.
    for (const std::string& other : Pending()) {
      if (other != id && std::ranges::find(pending_, other) == pending_.end()) {
        AbortUpload(client_, key_, other);
      }
    }
    return id;
  }

  bool TakeParts(const std::string& id) {
    parts_.assign(plan_.count, {});
    std::size_t taken = 0, pages = 0;
    std::string next;
    do {
      S3Request request{.key = key_, .query = {{"uploadId", id}}, .fine = {400, 403, 404}};
      if (!next.empty()) request.query.emplace_back("part-number-marker", next);
      const auto page = ReadS3Parts(client_.Do(request).body);
      if (!page) return false;
      for (const S3Part& part : page->parts) {
        const auto index = static_cast<std::size_t>(part.number - 1);
        if (part.number < 1 || index >= plan_.count || !IsOurs(part, index)) return false;
        parts_[index] = part;
        ++taken;
      }
      // Parts are listed in their order: what does not go on is no listing.
      if (page->truncated && (page->parts.empty() || ++pages > plan_.count)) return false;
      next = page->next;
      if (page->truncated && next.empty()) return false;
    } while (!next.empty());
    return taken > 0;
  }

  bool IsOurs(const S3Part& part, std::size_t index) const {
    if (part.size != plan_.LengthOf(index)) return false;
    if (!part.crc32c.empty()) return part.crc32c == sums_.crc32c[index];
    return part.etag == fmt::format("\"{}\"", SumOf({DigestKind::kMd5}, source_,
                                                    plan_.OffsetOf(index), plan_.LengthOf(index)));
  }

  const S3Context& context_;
  S3Client& client_;
  const ByteSource& source_;
  std::string_view key_;
  const PutOptions& options_;
  const TransferProgress& progress_;
  PartPlan plan_;
  FileSums sums_;
  std::vector<S3Part> parts_;
  std::vector<std::string> pending_;  // before this one began
};

}  // namespace

std::string ProblemOfPut(const HttpAnswer& answer, const ByteSource& source, std::uint64_t offset,
                         std::uint64_t length, std::string_view crc32c) {
  // The server tells what it summed, if it knows this sum.
  const std::string_view told = answer.Header("x-amz-checksum-crc32c");
  if (!told.empty() && told != crc32c) return "the server's checksum is another one";
  const std::string_view etag = answer.Header("etag");
  const std::string md5 = ReadMd5(answer);
  constexpr std::uint64_t kCheap = std::uint64_t{8} << 20;
  if (!told.empty() && (md5.empty() || length > kCheap)) {
    return etag.empty() ? "the server gives no ETag" : "";
  }
  if (md5.empty()) return "the server gives no checksum, neither CRC-32C nor an ETag that is one";
  if (md5 == SumOf({DigestKind::kMd5}, source, offset, length)) return {};
  return fmt::format("the server says that it holds something else (ETag {})", etag);
}

std::string BeginUpload(S3Client& client, std::string_view key, const PutOptions& options,
                        std::string_view sha256, bool crc) {
  S3Request request{.method = "POST",
                    .key = key,
                    .query = {{"uploads", ""}},
                    .headers = DescribingHeaders(options, sha256)};
  if (crc) {
    request.headers.emplace_back("x-amz-checksum-algorithm", "CRC32C");
    request.headers.emplace_back("x-amz-checksum-type", "FULL_OBJECT");
  }
  request.check = [](const HttpAnswer& answer) -> std::string {
    return ReadXmlText(answer.body, "UploadId").empty() ? "the answer has no upload id" : "";
  };
  return ReadXmlText(client.Do(request).body, "UploadId");
}

void AbortUpload(S3Client& client, std::string_view key, const std::string& id) noexcept {
  try {
    client.Do(
        {.method = "DELETE", .key = key, .query = {{"uploadId", id}}, .fine = {404}, .tries = 3});
  } catch (const StorageError&) {
    // The failure that led here is the one to tell, and the next upload goes on from what is left.
  }
}

std::optional<std::string> CompleteUpload(S3Client& client, std::string_view key,
                                          const std::string& id, const std::vector<S3Part>& parts,
                                          const PutOptions& options) {
  const std::string body = CompletionXml(parts);
  S3Request request{.method = "POST",
                    .key = key,
                    .query = {{"uploadId", id}},
                    .headers = ConditionHeaders(options),
                    .text = body,
                    .fine = {404, 412}};
  request.headers.emplace_back("Content-Type", "application/xml");
  // The status comes before the work is done, so a failure can stand in a good answer.
  request.check = [](const HttpAnswer& answer) -> std::string {
    if (const auto error = ReadS3Error(answer.body)) return error->message;
    return ReadXmlText(answer.body, "ETag").empty() ? "the answer has no ETag" : "";
  };
  const HttpAnswer answer = client.Do(request);
  if (answer.status >= 400) return std::nullopt;
  return ReadXmlText(answer.body, "ETag");
}

ObjectInfo UploadObject(const S3Context& context, const std::string& path, std::string_view key,
                        const PutOptions& options, std::string_view sha256,
                        const TransferProgress& progress) {
  std::string problem;
  const std::unique_ptr<ByteSource> source = OpenFileSource(path, problem);
  if (!source) throw StorageError(Kind::kLocal, fmt::format("cannot read {}: {}", path, problem));
  if (source->size() > kMostParts * kLargestPart) {
    throw StorageError(Kind::kLocal, fmt::format("{} is larger than an object can be", path));
  }
  return FileUpload(context, *source, key, options, progress).Run(path, sha256);
}

}  // namespace wheelwright
