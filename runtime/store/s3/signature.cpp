#include "runtime/store/s3/signature.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "base/text.h"
#include "runtime/store/digest/digest.h"
#include "runtime/store/storage/keys.h"

namespace wheelwright {
namespace {

// Replaces runs of blanks by one.
std::string Condensed(std::string_view value) {
  std::string out;
  for (const char c : Trim(value)) {
    if (c != ' ' || !out.ends_with(' ')) out += c;
  }
  return out;
}

}  // namespace

std::string CanonicalQuery(const QueryPairs& query) {
  std::vector<std::pair<std::string, std::string>> encoded;
  for (const auto& [name, value] : query) {
    encoded.emplace_back(EncodeQuery(name), EncodeQuery(value));
  }
  std::ranges::sort(encoded);
  std::string out;
  for (const auto& [name, value] : encoded) {
    out += fmt::format("{}{}={}", out.empty() ? "" : "&", name, value);
  }
  return out;
}

std::string SigningTime(std::chrono::system_clock::time_point time) {
  return fmt::format("{:%Y%m%dT%H%M%SZ}", fmt::gmtime(std::chrono::system_clock::to_time_t(time)));
}

std::string Authorization(const ToSign& request, const Credentials& credentials,
                          std::string_view region, std::string_view service,
                          std::string_view time) {
  // Sorted by name alone: `x-amz-meta-a` stands before `x-amz-meta-a-b`.
  std::map<std::string, std::string> headers;
  for (const auto& [name, value] : request.headers) {
    std::string& joined = headers[ToLower(name)];
    joined += (joined.empty() ? "" : ",") + Condensed(value);
  }
  std::string lines, names;
  for (const auto& [name, value] : headers) {
    lines += fmt::format("{}:{}\n", name, value);
    names += (names.empty() ? "" : ";") + name;
  }
  const std::string canonical =
      fmt::format("{}\n{}\n{}\n{}\n{}\n{}", request.method, request.path,
                  CanonicalQuery(request.query), lines, names, request.payload);
  const std::string_view day = time.substr(0, 8);
  const std::string scope = fmt::format("{}/{}/{}/aws4_request", day, region, service);
  const std::string to_sign =
      fmt::format("AWS4-HMAC-SHA256\n{}\n{}\n{}", time, scope, Sha256Of(canonical));
  std::string key = HmacSha256("AWS4" + credentials.secret_key, day);
  for (const std::string_view part : {region, service, std::string_view("aws4_request")}) {
    key = HmacSha256(key, part);
  }
  return fmt::format("AWS4-HMAC-SHA256 Credential={}/{}, SignedHeaders={}, Signature={}",
                     credentials.access_key, scope, names, Hexadecimal(HmacSha256(key, to_sign)));
}

}  // namespace wheelwright
