#include "runtime/store/s3/s3_client.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <iomanip>
#include <sstream>

#include "base/characters.h"
#include "base/platform/child_process.h"
#include "base/text.h"
#include "runtime/host/actions/job_files.h"
#include "runtime/store/digest/digest.h"
#include "runtime/store/storage/keys.h"

namespace wheelwright {
namespace {

using Kind = StorageError::Kind;
using Problem = HttpAnswer::Problem;
using std::chrono::milliseconds;

std::string FirstRegion(const Host& host, const StoragePlace& place) {
  for (const std::string_view variable : {"AWS_REGION", "AWS_DEFAULT_REGION"}) {
    if (std::string region = host.Variable(variable); !region.empty()) return region;
  }
  if (std::string region = AwsProfile(host).Get("region"); !region.empty()) return region;
  return place.region.empty() ? "us-east-1" : place.region;
}

// No certificate covers a host name with a bucket whose name has a dot.
bool IsHostLabel(std::string_view bucket) {
  return std::ranges::all_of(bucket,
                             [](char c) { return IsLowerLetter(c) || IsDigit(c) || c == '-'; });
}

// The header retry-after, in seconds.
milliseconds RetryAfter(const HttpAnswer& answer) {
  const std::string_view text = answer.Header("retry-after");
  int seconds = 0;
  std::from_chars(text.data(), text.data() + text.size(), seconds);
  return std::chrono::seconds(std::clamp(seconds, 0, 3600));
}

std::optional<std::chrono::sys_seconds> ReadHttpDate(std::string_view text) {
  std::tm parts{};
  std::istringstream in{std::string(text)};
  in.imbue(std::locale::classic());
  in >> std::get_time(&parts, "%a, %d %b %Y %H:%M:%S");
  if (in.fail()) return std::nullopt;
  const std::chrono::year_month_day day{std::chrono::year(parts.tm_year + 1900),
                                        std::chrono::month(static_cast<unsigned>(parts.tm_mon + 1)),
                                        std::chrono::day(static_cast<unsigned>(parts.tm_mday))};
  return std::chrono::sys_days(day) + std::chrono::hours(parts.tm_hour) +
         std::chrono::minutes(parts.tm_min) + std::chrono::seconds(parts.tm_sec);
}

}  // namespace

struct S3Client::Refusal {
  Kind kind = Kind::kUnreached;
  std::string why;
  bool at_once = false;     // the next try may start at once
  bool maybe_done = false;  // the server may have done the work
  int tries = 1000;         // a lower limit than the request's own
};

S3Client::S3Client(const StoragePlace& place, Host& host)
    : host_(host),
      place_(place),
      http_(host),
      credentials_(host, UsualSources(host, http_), place.anonymous,
                   [&host](std::string_view secret) {
                     // The runner already masks secrets from its own variables.
                     if (host.in_actions() && !secret.empty() &&
                         host.Variable("AWS_SECRET_ACCESS_KEY").empty()) {
                       JobFiles(host).Mask(secret);
                     }
                   }),
      slots_(static_cast<std::ptrdiff_t>(std::clamp<std::size_t>(place.connections, 1, 1024))),
      region_(FirstRegion(host, place)) {}

std::string S3Client::NameOf(std::string_view key) const {
  return fmt::format("s3://{}/{}", place_.bucket, key);
}

std::string S3Client::UrlOf(std::string_view key) const {
  if (place_.endpoint.empty() && IsHostLabel(place_.bucket)) {
    return fmt::format("https://{}.s3.amazonaws.com/{}", place_.bucket, EncodePath(key));
  }
  return fmt::format("{}/{}", Endpoint(), EncodePath(key));
}

std::string S3Client::Endpoint() const {
  if (!place_.endpoint.empty()) return fmt::format("{}/{}", place_.endpoint, place_.bucket);
  const std::lock_guard hold(mutex_);
  return IsHostLabel(place_.bucket)
             ? fmt::format("https://{}.s3.{}.amazonaws.com", place_.bucket, region_)
             : fmt::format("https://s3.{}.amazonaws.com/{}", region_, place_.bucket);
}

HttpAnswer S3Client::Try(S3Request& request, const Credentials& credentials) {
  const std::string target =
      request.key.empty() ? Endpoint() : fmt::format("{}/{}", Endpoint(), EncodePath(request.key));
  HttpRequest http{.method = request.method, .url = target, .longest = request.longest};
  HttpUrl url;
  if (!ReadHttpUrl(target, url)) {
    throw StorageError(Kind::kUnreached, fmt::format("'{}' is no URL of a server", target));
  }
  const std::string query = CanonicalQuery(request.query);
  if (!query.empty()) http.url += "?" + query;
  const std::string time = SigningTime(host_.now() + std::chrono::seconds(skew_.load()));
  const std::string payload =
      request.body.source != nullptr ? std::string(kUnsignedPayload) : Sha256Of(request.body.text);
  http.headers = request.headers;
  http.headers.emplace_back("x-amz-date", time);
  http.headers.emplace_back("x-amz-content-sha256", payload);
  if (!credentials.session_token.empty()) {
    http.headers.emplace_back("x-amz-security-token", credentials.session_token);
  }
  HttpHeaders to_sign = http.headers;
  to_sign.emplace_back("host", url.authority);
  std::string region;
  {
    const std::lock_guard hold(mutex_);
    region = region_;
  }
  const bool anonymous = credentials.access_key.empty();
  if (!anonymous)
    http.headers.emplace_back(
        "Authorization", Authorization({request.method, url.path, request.query, to_sign, payload},
                                       credentials, region, "s3", time));
  http.body = request.body;
  http.on_body = request.on_body;
  slots_.acquire();
  HttpAnswer answer = http_.Send(http);
  slots_.release();
  return answer;
}

// Servers of other regions answer with the name of the bucket's region.
bool S3Client::TakeRegion(const HttpAnswer& answer, std::string_view named) {
  std::string region(answer.Header("x-amz-bucket-region"));
  if (region.empty()) region = named;
  const std::lock_guard hold(mutex_);
  if (region.empty() || region == region_) return false;
  region_ = region;
  return true;
}

S3Client::Verdict S3Client::Judge(const S3Request& request, const HttpAnswer& answer,
                                  const Credentials& credentials, Refusal& refusal) {
  switch (answer.problem) {
    case Problem::kNone:
      return JudgeStatus(request, answer, credentials, refusal);
    case Problem::kCut:
    case Problem::kTimeout:
      refusal.maybe_done = true;
      break;
    case Problem::kUnreached:
      refusal.tries = 5;
      break;
    case Problem::kUnreadable:
      if (request.body.source != nullptr) refusal.kind = Kind::kLocal;
      break;
    case Problem::kUrl:
    case Problem::kTls:
    case Problem::kTooLong:
    case Problem::kStopped:
    case Problem::kInterrupted:
      refusal.why = answer.reason;
      return Verdict::kFail;
  }
  refusal.why = answer.reason;
  return Verdict::kAgain;
}

S3Client::Verdict S3Client::JudgeStatus(const S3Request& request, const HttpAnswer& answer,
                                        const Credentials& credentials, Refusal& refusal) {
  const int status = answer.status;
  if (answer.good()) {
    if (request.check) refusal.why = request.check(answer);
    if (refusal.why.empty()) return Verdict::kTake;
    refusal.kind = Kind::kDamaged;
    refusal.tries = 4;
    return Verdict::kAgain;
  }
  if (std::ranges::find(request.accepted, status) != request.accepted.end()) return Verdict::kTake;
  const S3Error error = ReadS3Error(answer.body).value_or(S3Error{});
  refusal.why = error.message.empty() ? fmt::format("the server answers with status {}", status)
                                      : fmt::format("{} ({})", error.message, status);
  const std::string& code = error.code;
  // The following are corrected and retried at once.
  if (code == "RequestTimeTooSkewed") {
    const auto theirs = ReadHttpDate(answer.Header("date"));
    if (theirs && skew_ == 0) {
      skew_ = std::chrono::duration_cast<std::chrono::seconds>(*theirs - host_.now()).count();
      refusal.at_once = true;
      return Verdict::kAgain;
    }
  }
  if ((status == 301 || status == 307 || status == 400) && TakeRegion(answer, error.region)) {
    refusal.at_once = true;
    return Verdict::kAgain;
  }
  if (code == "ExpiredToken" || code == "ExpiredTokenException" || code == "TokenRefreshRequired") {
    refusal.kind = Kind::kDenied;
    refusal.why = "the credentials have expired, and there are no newer ones";
    if (!credentials_.Renew(credentials)) return Verdict::kFail;
    refusal.at_once = true;
    refusal.tries = 4;
    return Verdict::kAgain;
  }
  // Answers to HEAD have no body that names the error.
  if (code.empty() && request.method == "HEAD" && (status == 400 || status == 403) &&
      credentials_.Renew(credentials)) {
    refusal.at_once = true;
    refusal.tries = 4;
    return Verdict::kAgain;
  }
  if (code == "BadDigest" || code == "XAmzContentSHA256Mismatch" || code == "InvalidDigest") {
    refusal.kind = Kind::kDamaged;
    refusal.tries = 4;
    return Verdict::kAgain;
  }
  if (status >= 500 || status == 429 || status == 408 || code == "RequestTimeout" ||
      code == "OperationAborted" || code == "ConditionalRequestConflict" || code == "SlowDown" ||
      code == "IncompleteBody") {
    if (status == 501) return Verdict::kFail;  // the server does not support the request
    if (status >= 500) refusal.maybe_done = true;
    if (status == 409) refusal.kind = Kind::kConflict;
    return Verdict::kAgain;
  }
  if (status == 401 || status == 403) refusal.kind = Kind::kDenied;
  if (status == 404) refusal.kind = Kind::kNotFound;
  if (status == 412 || status == 409) refusal.kind = Kind::kConflict;
  return Verdict::kFail;
}

S3Answer S3Client::Do(S3Request& request) {
  Retry retry({.tries = request.tries, .first = milliseconds(400)}, host_);
  bool maybe_done_before = false;
  while (true) {
    if (request.before_try) request.before_try(request);
    const Credentials credentials = credentials_.Get();
    HttpAnswer answer = Try(request, credentials);
    Refusal refusal;
    const Verdict verdict = Judge(request, answer, credentials, refusal);
    if (verdict == Verdict::kTake) return {std::move(answer), maybe_done_before};
    maybe_done_before = maybe_done_before || refusal.maybe_done;
    auto wait = retry.Next(verdict == Verdict::kFail ? 0 : refusal.tries, RetryAfter(answer));
    if (wait && refusal.at_once) wait = milliseconds(0);
    if (wait && retry.Begin(*wait)) continue;
    std::string message = fmt::format("{} {}: {}", request.method, NameOf(request.key),
                                      InterruptedBy() != 0 ? "interrupted" : refusal.why);
    if (verdict == Verdict::kAgain && retry.tried() > 1) {
      message += fmt::format(", after {} tries", retry.tried());
    }
    throw StorageError(refusal.kind, std::move(message));
  }
}

}  // namespace wheelwright
