#include "runtime/store/s3/s3_multipart.h"

#include <fmt/format.h>

#include "runtime/store/digest/sum.h"
#include "runtime/store/s3/s3_object.h"
#include "runtime/store/s3/s3_sums.h"

namespace wheelwright {

std::string ProblemOfPut(const HttpAnswer& answer, const ByteSource& source, std::uint64_t offset,
                         std::uint64_t length, std::string_view crc32c) {
  // Servers that support CRC-32C answer with the sum that they computed.
  const std::string_view server_sum = answer.Header("x-amz-checksum-crc32c");
  if (!server_sum.empty() && server_sum != crc32c) return "the server's checksum is another one";
  const std::string_view etag = answer.Header("etag");
  const std::string md5 = ReadMd5(answer);
  constexpr std::uint64_t kCheap = std::uint64_t{8} << 20;
  if (!server_sum.empty() && (md5.empty() || length > kCheap)) {
    return etag.empty() ? "the server gives no ETag" : "";
  }
  if (md5.empty()) return "the server gives no checksum, neither CRC-32C nor an ETag that is one";
  if (md5 == SumOf({DigestKind::kMd5}, source, offset, length)) return {};
  return fmt::format("the server says that it holds something else (ETag {})", etag);
}

std::string ProblemOfResult(const HttpAnswer& answer) {
  if (const auto error = ReadS3Error(answer.body)) return error->message;
  return ReadXmlText(answer.body, "ETag").empty() ? "the answer has no ETag" : "";
}

BegunUpload BeginUpload(S3Client& client, std::string_view key, const PutOptions& options,
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
  const S3Answer answer = client.Do(request);
  return {ReadXmlText(answer.body, "UploadId"), answer.maybe_done_before};
}

void AbortUpload(S3Client& client, std::string_view key, const std::string& id) noexcept {
  try {
    client.Do({.method = "DELETE",
               .key = key,
               .query = {{"uploadId", id}},
               .accepted = {404},
               .tries = 3});
  } catch (const StorageError&) {
    // The caller reports the first failure; the next upload resumes from the remaining parts.
  }
}

UploadEnd CompleteUpload(S3Client& client, std::string_view key, const std::string& id,
                         const std::vector<S3Part>& parts, const PutOptions& options) {
  const std::string body = CompletionXml(parts);
  S3Request request{.method = "POST",
                    .key = key,
                    .query = {{"uploadId", id}},
                    .headers = ConditionHeaders(options),
                    .body = {.text = body},
                    .accepted = {404, 412},
                    // The server sends the status before it has finished, so an answer with status
                    // 200 may hold an error.
                    .check = ProblemOfResult};
  request.headers.emplace_back("Content-Type", "application/xml");
  const S3Answer answer = client.Do(request);
  return {.refused = answer.status >= 400, .maybe_lost = answer.maybe_done_before};
}

}  // namespace wheelwright
