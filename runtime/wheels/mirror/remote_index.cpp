#include "runtime/wheels/mirror/remote_index.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <utility>

#include "base/platform/file_handle.h"
#include "base/platform/folders.h"
#include "base/text.h"
#include "runtime/store/digest/digest.h"
#include "runtime/store/s3/s3_object.h"
#include "runtime/store/s3/s3_sums.h"
#include "runtime/wheels/index/index_page.h"

namespace wheelwright {
namespace {

constexpr int kRedirections = 5;
// The limit for files without a size on the page: the largest that a public index takes.
constexpr std::uint64_t kLongestFile = std::uint64_t{2} << 30;
constexpr std::string_view kAccept =
    "application/vnd.pypi.simple.v1+json, application/vnd.pypi.simple.v1+html;q=0.2, "
    "text/html;q=0.1";

std::string ProblemOf(const HttpAnswer& answer, const std::string& url) {
  if (answer.problem != HttpAnswer::Problem::kNone) return answer.reason;
  return fmt::format("{} answers with status {}", WithoutPassword(url), answer.status);
}

}  // namespace

RemoteIndex::RemoteIndex(Host& host, std::string url, RemoteOptions options)
    : host_(host), http_(host), url_(std::move(url)), options_(options) {
  while (url_.ends_with('/') && !options_.find_links) url_.pop_back();
}

std::string RemoteIndex::PageOf(std::string_view project) const {
  return options_.find_links ? url_ : fmt::format("{}/{}/", url_, project);
}

// Follows redirections; sets `url` to the one that answered.
HttpAnswer RemoteIndex::Get(HttpRequest request, const RetryPolicy& policy, std::string& url) {
  // Installers ask for the same URLs, so none is changed to get around a cache.
  if (options_.fresh) request.headers.emplace_back("Cache-Control", "no-cache");
  for (int followed = 0;; ++followed) {
    request.url = url;
    HttpAnswer answer = http_.Send(request, policy);
    const bool elsewhere = answer.problem == HttpAnswer::Problem::kNone && answer.status >= 301 &&
                           answer.status <= 308 && answer.status != 304;
    if (!elsewhere || followed == kRedirections) return answer;
    std::string next = ResolveUrl(url, answer.Header("location"));
    if (next.empty()) return answer;
    url = std::move(next);
  }
}

std::optional<RemotePage> RemoteIndex::Read(std::string_view project, std::string& problem) {
  std::string url = PageOf(project);
  HttpRequest request;
  request.headers = {{"Accept", std::string(kAccept)}};
  const HttpAnswer answer = Get(std::move(request), options_.retries, url);
  if (!answer.good()) {
    problem = answer.status == 404 && !options_.find_links
                  ? fmt::format("{} has no project {}", WithoutPassword(url_), project)
                  : ProblemOf(answer, url);
    return std::nullopt;
  }
  RemotePage page = ReadRemotePage(answer.body, answer.Header("content-type"), url, project);
  if (page.problem.empty()) return page;
  problem = fmt::format("the page {} cannot be read: {}", WithoutPassword(url), page.problem);
  return std::nullopt;
}

std::string RemoteIndex::Probe(const RemoteFile& file) {
  std::string url = file.url;
  const HttpAnswer answer = Get({.method = "HEAD", .headers = {{"x-amz-checksum-mode", "ENABLED"}}},
                                options_.retries, url);
  if (!answer.good()) return ProblemOf(answer, url);
  std::uint64_t size = 0;
  const std::string_view length = answer.Header("content-length");
  const bool sized =
      std::from_chars(length.data(), length.data() + length.size(), size).ec == std::errc();
  if (file.size > 0 && sized && size != file.size) {
    return fmt::format("{} has {} bytes, and its page says {}", WithoutPassword(url), size,
                       file.size);
  }
  std::string sum(answer.Header(fmt::format("x-amz-meta-{}", kShaMetadata)));
  if (sum.empty()) sum = ReadWholeSha256(answer);
  if (!sum.empty() && !file.sha256.empty() && !EqualsIgnoringCase(sum, file.sha256)) {
    return fmt::format("{} has the SHA-256 {}, and its page says {}", WithoutPassword(url), sum,
                       file.sha256);
  }
  if (file.metadata_sha256.empty()) return {};
  // The path with the ending, in front of a query.
  const std::size_t end = std::min(file.url.find('?'), file.url.size());
  std::string beside =
      file.url.substr(0, end) + std::string(kMetadataSuffix) + file.url.substr(end);
  const HttpAnswer metadata = Get({}, options_.retries, beside);
  if (!metadata.good()) return ProblemOf(metadata, beside);
  if (Sha256Of(metadata.body) == file.metadata_sha256) return {};
  return fmt::format("{} is not what the page says", WithoutPassword(beside));
}

std::string RemoteIndex::Download(const RemoteFile& file, const std::string& path) {
  for (Retry retry(options_.retries, host_);;) {
    bool again = false;
    std::string problem = DownloadOnce(file, path, again);
    if (problem.empty()) return {};
    std::error_code error;
    RemoveFile(path, error);
    if (!again || !retry.Again()) return problem;
  }
}

std::string RemoteIndex::DownloadOnce(const RemoteFile& file, const std::string& path,
                                      bool& again) {
  std::string problem;
  FileHandle out(path, FileHandle::For::kNewFile, problem);
  if (!out.open()) return problem;
  Digest digest(DigestKind::kSha256);
  std::uint64_t size = 0;
  const std::uint64_t most = file.size > 0 ? file.size : kLongestFile;
  bool too_long = false;
  HttpRequest request;
  request.on_body = [&](std::span<const Byte> piece) {
    too_long = size + piece.size() > most;
    if (too_long) return false;
    if (!out.WriteAt(size, piece)) {
      problem = fmt::format("cannot write {}: {}", path, FileHandle::LastProblem());
      return false;
    }
    digest.Add(piece);
    size += piece.size();
    return true;
  };
  std::string url = file.url;
  const HttpAnswer answer = Get(std::move(request), {}, url);
  if (!problem.empty()) return problem;
  if (too_long) return fmt::format("{} has more than {} bytes", file.file, most);
  if (!answer.good()) {
    again = answer.transient();
    return fmt::format("{} cannot be fetched: {}", file.file, ProblemOf(answer, url));
  }
  // Damage during the transfer goes away with a retry; a wrong file on the server does not.
  again = true;
  const std::string sum = Hexadecimal(digest.Finish());
  if (file.size > 0 && size != file.size) {
    return fmt::format("{} has {} bytes, and its page says {}", file.file, size, file.size);
  }
  if (sum != file.sha256) {
    return fmt::format("{} is not what its page says: its SHA-256 is {}, not {}", file.file, sum,
                       file.sha256);
  }
  if (!out.Flush()) return fmt::format("cannot write {}: {}", path, FileHandle::LastProblem());
  return {};
}

}  // namespace wheelwright
