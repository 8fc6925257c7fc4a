// HTTP and HTTPS requests: to S3, to credential services, to package indexes and to GitHub.
//
// It uses Boost.Beast, headers over OpenSSL, because it links statically. Debian's libcurl.a (7.88)
// does not: over OpenSSL, zlib and zstd alone it leaves 391 undefined references, 98 of them to
// Kerberos, which Debian has as a shared object only; and its SigV4 does not sort a query or add
// the
// `=` of "?uploads", which servers refuse with 403. A pinned build of curl without these protocols
// would replace about 1,000 lines here, and none of the signing. cpp-httplib is a shared object.
// Beast has no client: the pool, the proxies and the time limits are in this folder, and nothing
// outside of it includes Beast.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/platform/byte_source.h"
#include "runtime/host/environment/host.h"
#include "runtime/host/environment/retry.h"

namespace wheelwright {

using HttpHeaders = std::vector<std::pair<std::string, std::string>>;

// The body of a request: a text, or `length` bytes of `source` from `offset` on. Both are borrowed.
struct HttpBody {
  std::string_view text = {};
  const ByteSource* source = nullptr;
  std::uint64_t offset = 0;
  std::uint64_t length = 0;
  // Called with the size of each piece that was sent; resent pieces count again.
  std::function<void(std::uint64_t bytes)> on_sent = {};
};

inline constexpr std::size_t kLongestBody = std::size_t{64} << 20;

struct HttpRequest {
  std::string method = "GET";
  std::string url;      // absolute and encoded: "https://host/path?query"
  bool direct = false;  // ignores the environment's proxy
  HttpHeaders headers;  // Host, Content-Length and User-Agent are added
  HttpBody body = {};
  // Gets the body of a 2xx answer in place of HttpAnswer::body; false ends the request.
  std::function<bool(std::span<const Byte> piece)> on_body;
  std::size_t longest = kLongestBody;  // of HttpAnswer::body, in bytes; more is a failure
};

struct HttpAnswer {
  enum class Problem : std::uint8_t {
    kNone,
    kUrl,          // it cannot be read
    kUnreached,    // no such host, or no connection
    kTls,          // the certificate is not trusted, or no common protocol
    kTimeout,      // no byte in either direction for too long, or too few
    kCut,          // the connection ended in the middle
    kUnreadable,   // the answer is not HTTP, or its file could not be read
    kTooLong,      // the body is longer than the request allows
    kStopped,      // on_body returned false
    kInterrupted,  // a signal ends this program
  };

  Problem problem = Problem::kNone;
  std::string reason;  // for people, with the host's name; "" without a problem
  int status = 0;
  HttpHeaders headers;  // names in lower case
  std::string body;     // at most HttpRequest::longest bytes of it

  // The first of that name, or "". `name` is in lower case.
  std::string_view Header(std::string_view name) const;
  bool good() const { return problem == Problem::kNone && status >= 200 && status < 300; }
  // Whether a retry may succeed.
  bool transient() const;
};

struct HttpLimits {
  std::chrono::milliseconds connect{10'000};  // each address of a host
  // The longest time without a byte in either direction. After ten times this time, a request with
  // less than 1 kB a second on average fails too.
  std::chrono::milliseconds idle{30'000};
};
// The defaults, with `idle` from WHEELRUN_NETWORK_TIMEOUT (in seconds).
HttpLimits LimitsOf(const Host& host);

// Keeps a pool of connections. Safe to use from several threads.
//
// Honours the environment variables HTTPS_PROXY, HTTP_PROXY, ALL_PROXY and NO_PROXY, and
// SSL_CERT_FILE, SSL_CERT_DIR and AWS_CA_BUNDLE (see certificates.h).
class HttpClient {
 public:
  explicit HttpClient(const Host& host) : HttpClient(host, LimitsOf(host)) {}
  HttpClient(const Host& host, HttpLimits limits);
  HttpClient(const HttpClient&) = delete;
  HttpClient& operator=(const HttpClient&) = delete;
  ~HttpClient();

  // Does not follow redirections. Retries only GET and HEAD, when a pooled connection broke before
  // the answer began.
  HttpAnswer Send(const HttpRequest& request);
  // The same with retries while the answer is transient. For requests that change nothing.
  HttpAnswer Send(const HttpRequest& request, const RetryPolicy& policy);

 private:
  struct Inner;
  std::unique_ptr<Inner> inner_;
};

// The parts of an URL, still encoded.
struct HttpUrl {
  bool tls = false;
  std::string host;       // without the brackets of IPv6
  std::string port;       // "443" when the URL has none
  std::string authority;  // as the Host header has it: "host", "host:9000"
  std::string user_info;  // "user:password", or ""
  std::string path;       // begins with `/`
  std::string query;      // without `?`
};
// False when the text is no HTTP or HTTPS URL.
bool ReadHttpUrl(std::string_view text, HttpUrl& url);

// The proxy that the environment sets for an URL, or "".
std::string ProxyFor(const HttpUrl& url, const Host& host);

}  // namespace wheelwright
