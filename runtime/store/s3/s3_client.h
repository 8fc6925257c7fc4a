// Requests to one bucket, with signatures, retries and readable errors.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <mutex>
#include <semaphore>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/host/environment/host.h"
#include "runtime/store/http/http_client.h"
#include "runtime/store/s3/credentials.h"
#include "runtime/store/s3/s3_xml.h"
#include "runtime/store/s3/signature.h"
#include "runtime/store/storage/storage.h"
#include "runtime/store/storage/storage_place.h"

namespace wheelwright {

struct S3Request {
  std::string method = "GET";
  std::string_view key;  // "": the bucket itself
  QueryPairs query;
  HttpHeaders headers;  // those of AWS and Content-*, besides what signing adds
  HttpBody body = {};   // the signature covers a text
  std::function<bool(std::span<const Byte> piece)> on_body;
  std::size_t longest = kLongestBody;  // of the answer's body, in bytes
  // Called before each try; may change headers to resume where the last try ended.
  std::function<void(S3Request& request)> before_try;
  // Statuses besides 2xx that are no failure.
  std::vector<int> accepted = {};
  // Checks a 2xx answer, which may still be an error. Returns the problem, which causes a retry, or
  // "".
  std::function<std::string(const HttpAnswer& answer)> check;
  int tries = 8;
};

struct S3Answer : HttpAnswer {
  // A try without an answer may have succeeded, so a failed condition may be this request's own
  // effect.
  bool maybe_done_before = false;
};

class S3Client {
 public:
  S3Client(const StoragePlace& place, Host& host);

  // Throws StorageError after the last try.
  S3Answer Do(S3Request& request);
  S3Answer Do(S3Request&& request) { return Do(request); }

  const Host& host() const { return host_; }
  std::string UrlOf(std::string_view key) const;
  const std::string& bucket() const { return place_.bucket; }
  std::string NameOf(std::string_view key) const;

 private:
  enum class Verdict : std::uint8_t { kTake, kAgain, kFail };
  struct Refusal;

  std::string Endpoint() const;
  HttpAnswer Try(S3Request& request, const Credentials& credentials);
  Verdict Judge(const S3Request& request, const HttpAnswer& answer, const Credentials& credentials,
                Refusal& refusal);
  Verdict JudgeStatus(const S3Request& request, const HttpAnswer& answer,
                      const Credentials& credentials, Refusal& refusal);
  bool TakeRegion(const HttpAnswer& answer, std::string_view named);

  Host& host_;
  StoragePlace place_;
  HttpClient http_;
  CredentialChain credentials_;
  std::counting_semaphore<1024> slots_;
  mutable std::mutex mutex_;
  std::string region_;                 // guarded, as it may turn out to be another
  std::atomic<std::int64_t> skew_{0};  // seconds that the server's clock is ahead
};

}  // namespace wheelwright
