#include <fmt/format.h>

#include <algorithm>

#include "base/parallel.h"
#include "runtime/store/digest/sum.h"
#include "runtime/store/s3/part_plan.h"
#include "runtime/store/s3/s3_multipart.h"
#include "runtime/store/s3/s3_object.h"
#include "runtime/store/s3/s3_transfer.h"

namespace wheelwright {
namespace {

using Kind = StorageError::Kind;

// How many unfinished uploads to the same key are checked for parts to resume from.
constexpr std::size_t kMostLookedAt = 4;
// How many uploads are begun before their abortion by somebody else is a conflict.
constexpr int kUploadTries = 3;

// Puts a whole object; `request` has its key, body and check.
ObjectInfo PutObject(S3Client& client, S3Request& request, const PutOptions& options,
                     std::uint64_t size, const std::string& sha256) {
  request.method = "PUT";
  std::ranges::move(DescribingHeaders(options, sha256), std::back_inserter(request.headers));
  std::ranges::move(ConditionHeaders(options), std::back_inserter(request.headers));
  if (options.conditional()) request.accepted = {404, 412};
  const S3Answer answer = client.Do(request);
  if (answer.status >= 400) {
    return TakeConflict(client, request.key, size, sha256, answer.maybe_done_before);
  }
  return {.key = std::string(request.key),
          .size = size,
          .version = std::string(answer.Header("etag")),
          .sha256 = sha256,
          .content_type = options.content_type,
          .cache_control = options.cache_control,
          .metadata = options.metadata};
}

// The upload of one file.
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
      throw StorageError(Kind::kLocal, fmt::format("{} has changed: its SHA-256 is {}, and was {}",
                                                   path, sums_.sha256, sha256));
    }
    if (plan_.count == 1) return PutWhole();
    if (const std::string pending = FindPending(); !pending.empty()) {
      // The killed program that began it may have set other metadata.
      if (const auto done = PutParts(pending, true); done && Describes(*done)) return *done;
    }
    for (int tried = 1; tried <= kUploadTries; ++tried) {
      parts_.assign(plan_.count, {});
      if (const auto done = PutParts(Begin(), false)) return *done;
    }
    throw StorageError(Kind::kConflict, fmt::format("{}: another program completes the upload",
                                                    client_.NameOf(key_)));
  }

 private:
  // Reports each byte once, even if it is sent again.
  class Progress {
   public:
    explicit Progress(const TransferProgress& report) : report_(report) {}
    void Restart() { sent_ = 0; }
    void Add(std::uint64_t bytes) {
      sent_ += bytes;
      if (sent_ <= reported_) return;
      if (report_) report_(sent_ - reported_);
      reported_ = sent_;
    }

   private:
    const TransferProgress& report_;
    std::uint64_t sent_ = 0, reported_ = 0;
  };

  void GiveBody(S3Request& request, std::size_t part, Progress& progress) {
    request.body = {.source = &source_,
                    .offset = plan_.OffsetOf(part),
                    .length = plan_.LengthOf(part),
                    .on_sent = [&progress](std::uint64_t bytes) { progress.Add(bytes); }};
    request.headers.emplace_back("x-amz-checksum-crc32c", sums_.crc32c[part]);
    request.before_try = [&progress](S3Request&) { progress.Restart(); };
    request.check = [this, part](const HttpAnswer& answer) {
      return ProblemOfPut(answer, source_, plan_.OffsetOf(part), plan_.LengthOf(part),
                          sums_.crc32c[part]);
    };
  }

  ObjectInfo PutWhole() {
    Progress progress(progress_);
    S3Request request{.key = key_};
    GiveBody(request, 0, progress);
    return PutObject(client_, request, options_, plan_.size, sums_.sha256);
  }

  void PutPart(const std::string& id, std::size_t index) {
    Progress progress(progress_);
    if (parts_[index].number != 0) {  // the server has it
      progress.Add(plan_.LengthOf(index));
      return;
    }
    S3Request request{.method = "PUT",
                      .key = key_,
                      .query = {{"partNumber", std::to_string(index + 1)}, {"uploadId", id}}};
    GiveBody(request, index, progress);
    const HttpAnswer answer = client_.Do(request);
    parts_[index] = {.number = static_cast<int>(index + 1),
                     .size = plan_.LengthOf(index),
                     .etag = std::string(answer.Header("etag")),
                     .crc32c = std::string(answer.Header("x-amz-checksum-crc32c"))};
  }

  // Nothing when somebody else has finished or aborted the upload.
  std::optional<ObjectInfo> PutParts(const std::string& id, bool resumed) {
    parts_.resize(plan_.count);
    try {
      ParallelFor(plan_.count, std::min(plan_.count, context_.parts_at_once),
                  [&](std::size_t i) { PutPart(id, i); });
      const UploadEnd end = CompleteUpload(client_, key_, id, parts_, options_);
      if (end.refused && options_.conditional()) {
        return TakeConflict(client_, key_, plan_.size, sums_.sha256, end.maybe_lost);
      }
      if (end.refused) {
        const std::optional<ObjectInfo> there = HeadObject(client_, key_);
        const bool same = there && there->size == plan_.size && there->sha256 == sums_.sha256;
        return same ? there : std::nullopt;
      }
      return VerifyObject(client_, key_, plan_.size,
                          resumed ? std::string_view() : std::string_view(sums_.sha256),
                          sums_.whole, end.maybe_lost);
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

  // Unfinished uploads to this key, oldest first.
  std::vector<std::string> Pending() {
    const HttpAnswer answer = client_.Do(
        {.query = {{"uploads", ""}, {"prefix", std::string(key_)}, {"encoding-type", "url"}},
         .accepted = {400, 403, 404, 405, 501}});
    std::vector<std::string> ids;
    for (const S3PendingUpload& upload :
         ReadS3PendingUploads(answer.body).value_or(std::vector<S3PendingUpload>())) {
      if (upload.key == key_) ids.push_back(upload.id);
    }
    return ids;
  }

  // The first of them whose parts all match this file; "" for none.
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
    BegunUpload begun = BeginUpload(client_, key_, options_, sums_.sha256, true);
    if (!begun.maybe_twice) return begun.id;
    // Otherwise the duplicate upload would stay for ever.
    for (const std::string& other : Pending()) {
      if (other != begun.id && std::ranges::find(pending_, other) == pending_.end()) {
        AbortUpload(client_, key_, other);
      }
    }
    return begun.id;
  }

  bool TakeParts(const std::string& id) {
    parts_.assign(plan_.count, {});
    std::size_t taken = 0, pages = 0;
    std::string next;
    do {
      S3Request request{.key = key_, .query = {{"uploadId", id}}, .accepted = {400, 403, 404}};
      if (!next.empty()) request.query.emplace_back("part-number-marker", next);
      const auto page = ReadS3Parts(client_.Do(request).body);
      if (!page) return false;
      for (const S3Part& part : page->parts) {
        const auto index = static_cast<std::size_t>(part.number - 1);
        if (part.number < 1 || index >= plan_.count || !IsOurs(part, index)) return false;
        parts_[index] = part;
        ++taken;
      }
      // Stop if the server's listing makes no progress.
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

ObjectInfo WriteObject(S3Client& client, std::string_view key, std::string_view bytes,
                       const PutOptions& options) {
  const MemorySource source(bytes);
  const PartPlan plan{bytes.size(), std::max<std::uint64_t>(bytes.size(), 1), 1};
  FileSums sums;
  SumParts(source, plan, sums);
  S3Request request{.key = key,
                    .headers = {{"x-amz-checksum-crc32c", sums.crc32c.front()}},
                    .body = {.text = bytes},
                    .check = [&](const HttpAnswer& answer) {
                      return ProblemOfPut(answer, source, 0, bytes.size(), sums.crc32c.front());
                    }};
  return PutObject(client, request, options, bytes.size(), sums.sha256);
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
