#include <fmt/format.h>

#include <algorithm>

#include "base/parallel.h"
#include "runtime/store/s3/part_plan.h"
#include "runtime/store/s3/s3_multipart.h"
#include "runtime/store/s3/s3_object.h"
#include "runtime/store/s3/s3_transfer.h"
#include "runtime/store/storage/keys.h"

namespace wheelwright {
namespace {

using Kind = StorageError::Kind;

// The copying of one object within a bucket.
class ObjectCopy {
 public:
  ObjectCopy(const S3Context& context, const ObjectInfo& from, std::string_view to,
             PutOptions options)
      : context_(context),
        client_(context.client),
        from_(from),
        to_(to),
        options_(std::move(options)) {}

  ObjectInfo Run() {
    if (from_.size > context_.sizes.copy_whole) {
      CopyParts();
    } else {
      CopyWhole();
    }
    return VerifyObject(client_, to_, from_.size, from_.sha256, from_.crc, may_be_at_work_);
  }

 private:
  HttpHeaders SourceHeaders() const {
    return {{"x-amz-copy-source", fmt::format("/{}/{}", client_.bucket(), EncodePath(from_.key))},
            {"x-amz-copy-source-if-match", from_.version}};
  }

  // 412 does not say which of the two conditions failed, so look at the original.
  [[noreturn]] void Refuse() {
    const std::optional<ObjectInfo> now = HeadObject(client_, from_.key);
    const bool original = !now || now->version != from_.version;
    throw StorageError(Kind::kConflict,
                       fmt::format("{} was changed {}", client_.NameOf(original ? from_.key : to_),
                                   original ? "since it was checked" : "by somebody else"));
  }

  // Whether an earlier try without an answer made this copy, so that its condition fails now.
  bool IsDone(bool may_be_ours) {
    if (!may_be_ours || from_.sha256.empty()) return false;
    const std::optional<ObjectInfo> there = HeadObject(client_, to_);
    return there && there->size == from_.size && there->sha256 == from_.sha256;
  }

  void CopyWhole() {
    S3Request request{.method = "PUT", .key = to_, .headers = SourceHeaders(), .accepted = {412}};
    std::ranges::move(DescribingHeaders(options_, from_.sha256),
                      std::back_inserter(request.headers));
    std::ranges::move(ConditionHeaders(options_), std::back_inserter(request.headers));
    request.headers.emplace_back("x-amz-metadata-directive", "REPLACE");
    request.check = ProblemOfResult;
    const S3Answer answer = client_.Do(request);
    if (answer.status == 412 && !IsDone(answer.maybe_done_before)) Refuse();
  }

  void CopyParts() {
    const PartPlan plan = PlanParts(from_.size, context_.sizes.copy_part);
    const std::string id = BeginUpload(client_, to_, options_, from_.sha256, false).id;
    try {
      std::vector<S3Part> parts(plan.count);
      ParallelFor(plan.count, std::min(plan.count, context_.parts_at_once),
                  [&](std::size_t i) { parts[i] = CopyPart(id, plan, i); });
      const UploadEnd end = CompleteUpload(client_, to_, id, parts, options_);
      may_be_at_work_ = end.maybe_lost;
      if (end.refused && !IsDone(may_be_at_work_)) Refuse();
    } catch (const StorageError&) {
      AbortUpload(client_, to_, id);
      throw;
    }
  }

  S3Part CopyPart(const std::string& id, const PartPlan& plan, std::size_t index) {
    const std::uint64_t offset = plan.OffsetOf(index);
    S3Request request{.method = "PUT",
                      .key = to_,
                      .query = {{"partNumber", std::to_string(index + 1)}, {"uploadId", id}},
                      .headers = SourceHeaders(),
                      .accepted = {412}};
    request.headers.emplace_back(
        "x-amz-copy-source-range",
        fmt::format("bytes={}-{}", offset, offset + plan.LengthOf(index) - 1));
    request.check = ProblemOfResult;
    const HttpAnswer answer = client_.Do(request);
    if (answer.status == 412) Refuse();
    return {.number = static_cast<int>(index + 1),
            .size = plan.LengthOf(index),
            .etag = ReadXmlText(answer.body, "ETag"),
            .crc32c = {}};
  }

  const S3Context& context_;
  S3Client& client_;
  const ObjectInfo& from_;
  std::string_view to_;
  PutOptions options_;
  bool may_be_at_work_ = false;
};

}  // namespace

ObjectInfo CopyObject(const S3Context& context, const ObjectInfo& from, std::string_view to,
                      const PutOptions& options) {
  std::optional<ObjectInfo> now = HeadObject(context.client, from.key);
  if (!now) {
    throw StorageError(Kind::kNotFound,
                       fmt::format("there is no {}", context.client.NameOf(from.key)));
  }
  if (now->version != from.version) {
    throw StorageError(Kind::kConflict, fmt::format("{} was changed since it was checked",
                                                    context.client.NameOf(from.key)));
  }
  // The caller may know a sum that the store does not have.
  if (now->sha256.empty()) now->sha256 = from.sha256;
  // Servers copy content type and metadata all or nothing, and not at all in parts, so set those to
  // keep.
  PutOptions merged = options;
  if (merged.content_type.empty()) merged.content_type = now->content_type;
  if (merged.cache_control.empty()) merged.cache_control = now->cache_control;
  if (merged.metadata.empty()) merged.metadata = now->metadata;
  if (options.if_absent) {
    // Some servers ignore conditions of copies.
    if (const auto there = HeadObject(context.client, to)) {
      throw StorageError(Kind::kConflict,
                         fmt::format("there is a {} already", context.client.NameOf(to)));
    }
  }
  return ObjectCopy(context, *now, to, std::move(merged)).Run();
}

}  // namespace wheelwright
