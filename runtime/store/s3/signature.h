// Signs requests to AWS and compatible servers with Signature Version 4, in headers.
// https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv-create-signed-request.html
#pragma once

#include <chrono>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "runtime/store/http/http_client.h"

namespace wheelwright {

struct Credentials {
  std::string access_key;
  std::string secret_key;
  std::string session_token;  // of temporary ones
  // When they expire; the maximum if unknown.
  std::chrono::system_clock::time_point expires = std::chrono::system_clock::time_point::max();
};

// Replaces the SHA-256 of the body when the request has another checksum.
inline constexpr std::string_view kUnsignedPayload = "UNSIGNED-PAYLOAD";

using QueryPairs = std::vector<std::pair<std::string, std::string>>;  // not encoded

struct ToSign {
  std::string_view method;
  std::string_view path;       // encoded once, as S3 signs it
  const QueryPairs& query;     // in any order
  const HttpHeaders& headers;  // all that are to be signed, with Host
  std::string_view payload;    // the hexadecimal SHA-256 of the body, or kUnsignedPayload
};

// The query for both signature and request: encoded, sorted, a `=` behind each name.
std::string CanonicalQuery(const QueryPairs& query);

// "20130524T000000Z".
std::string SigningTime(std::chrono::system_clock::time_point time);

// The value of the Authorization header. `time` is the value of the signed header x-amz-date.
std::string Authorization(const ToSign& request, const Credentials& credentials,
                          std::string_view region, std::string_view service, std::string_view time);

}  // namespace wheelwright
