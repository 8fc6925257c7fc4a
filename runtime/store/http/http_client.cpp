#include "runtime/store/http/http_client.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <boost/asio/write.hpp>
#include <boost/beast/http/buffer_body.hpp>
#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/read.hpp>
#include <charconv>
#include <map>
#include <mutex>
#include <optional>

#include "base/text.h"
#include "runtime/store/http/certificates.h"
#include "runtime/store/http/connection.h"

namespace wheelwright {
namespace {

namespace asio = boost::asio;
namespace http = boost::beast::http;
using Problem = HttpAnswer::Problem;
using Clock = std::chrono::steady_clock;

// Servers close connections that are idle for longer: S3 after some seconds, others after a minute.
constexpr std::chrono::seconds kLongestIdle{15};
// How long to wait for an answer that came before the whole request was sent.
constexpr std::chrono::milliseconds kEarlyAnswer{2'000};
constexpr std::uint32_t kLongestHead = 64 << 10;
constexpr int kMostInterim = 100;

// One request on one connection.
class Exchange {
 public:
  Exchange(Connection& connection, const HttpRequest& request, const HttpUrl& url,
           const HttpUrl* proxy, HttpAnswer& answer)
      : connection_(connection), request_(request), url_(url), proxy_(proxy), answer_(answer) {}

  void Run() {
    connection_.BeginPace();
    NetworkError error;
    const bool written = Write(error);
    if (answer_.problem != Problem::kNone) return;
    // A server may refuse before it has read the whole body; read its answer even if writing
    // failed.
    if (!written) connection_.set_idle(kEarlyAnswer);
    if (!ReadHead()) {
      if (!written && error) Fail(error);
      return;
    }
    keep_ = keep_ && written;
    ReadBody();
  }

  // Whether the connection can be used again.
  bool keep() const { return keep_ && answer_.problem == Problem::kNone; }
  // Whether any byte of the answer came.
  bool began() const { return began_; }

 private:
  void Fail(const NetworkError& error) {
    answer_.problem = Explain(error, url_.host, answer_.reason);
    keep_ = false;
  }

  std::string Head() {
    const std::string query = url_.query.empty() ? "" : "?" + url_.query;
    const bool absolute = proxy_ != nullptr && !url_.tls;
    std::string head =
        fmt::format("{} {}{}{} HTTP/1.1\r\nHost: {}\r\nUser-Agent: wheelrun\r\n", request_.method,
                    absolute ? "http://" + url_.authority : "", url_.path, query, url_.authority);
    for (const auto& [name, value] : request_.headers) {
      if (value.find_first_of(std::string_view("\r\n\0", 3)) != std::string::npos) {
        answer_.problem = Problem::kUrl;
        answer_.reason = fmt::format("the header {} cannot hold a line feed", name);
      }
      head += fmt::format("{}: {}\r\n", name, value);
    }
    if (absolute) {
      const std::string credentials = BasicCredentials(proxy_->user_info);
      if (!credentials.empty()) head += fmt::format("Proxy-Authorization: {}\r\n", credentials);
    }
    const std::uint64_t length =
        request_.body.source != nullptr ? request_.body.length : request_.body.text.size();
    if (length > 0 || request_.method == "PUT" || request_.method == "POST") {
      head += fmt::format("Content-Length: {}\r\n", length);
    }
    return head + "\r\n";
  }

  // False when not everything could be written.
  bool Write(NetworkError& error) {
    const std::string head = Head();
    if (answer_.problem != Problem::kNone) return false;
    if (request_.body.source == nullptr) {
      const std::array<asio::const_buffer, 2> both{
          asio::buffer(head), asio::buffer(request_.body.text.data(), request_.body.text.size())};
      asio::write(connection_, both, error);
      if (!error && request_.body.on_sent) request_.body.on_sent(request_.body.text.size());
      return !error;
    }
    return WriteSource(head, error);
  }

  bool WriteSource(const std::string& head, NetworkError& error) {
    std::uint64_t done = 0;
    do {
      const auto piece = connection_.piece().first(
          std::min<std::uint64_t>(connection_.piece().size(), request_.body.length - done));
      if (!request_.body.source->ReadAt(request_.body.offset + done, piece)) {
        answer_.problem = Problem::kUnreadable;
        answer_.reason = "the file cannot be read any more: is it being written to?";
        return false;
      }
      if (done > 0 && connection_.HasInput()) return false;
      const std::array<asio::const_buffer, 2> both{
          asio::buffer(head.data(), done == 0 ? head.size() : 0),
          asio::buffer(piece.data(), piece.size())};
      asio::write(connection_, both, error);
      if (error) return false;
      done += piece.size();
      if (request_.body.on_sent) request_.body.on_sent(piece.size());
    } while (done < request_.body.length);
    return true;
  }

  bool ReadHead() {
    // Skips interim answers (1xx).
    int interim = 0;
    do {
      if (interim++ > kMostInterim) {
        answer_.problem = Problem::kUnreadable;
        answer_.reason = fmt::format("{}: too many interim answers", url_.host);
        return false;
      }
      parser_.emplace();
      parser_->header_limit(kLongestHead);
      parser_->body_limit(~std::uint64_t{0});
      if (request_.method == "HEAD") parser_->skip(true);
      NetworkError error;
      http::read_header(connection_, connection_.buffer(), *parser_, error);
      began_ = began_ || parser_->got_some();
      if (error) {
        Fail(error);
        return false;
      }
    } while (parser_->get().result_int() / 100 == 1);
    answer_.status = static_cast<int>(parser_->get().result_int());
    for (const auto& field : parser_->get()) {
      answer_.headers.emplace_back(
          ToLower({field.name_string().data(), field.name_string().size()}),
          std::string(field.value().data(), field.value().size()));
    }
    keep_ = parser_->keep_alive();
    return true;
  }

  void ReadBody() {
    if (parser_->is_done()) return;
    if (const auto length = parser_->content_length()) {
      ReadLength(*length);
      return;
    }
    while (!parser_->is_done()) {
      parser_->get().body().data = connection_.piece().data();
      parser_->get().body().size = connection_.piece().size();
      NetworkError error;
      http::read(connection_, connection_.buffer(), *parser_, error);
      const std::size_t got = connection_.piece().size() - parser_->get().body().size;
      if (got > 0 && !Deliver(connection_.piece().first(got))) return;
      if (error && error != http::error::need_buffer) {
        Fail(error);
        return;
      }
    }
  }

  // Reads a body of known length without the parser, which would copy every byte.
  void ReadLength(std::uint64_t left) {
    while (left > 0) {
      const auto piece =
          connection_.piece().first(std::min<std::uint64_t>(connection_.piece().size(), left));
      NetworkError error;
      const std::size_t got = connection_.Fill(piece, error);
      if (got > 0 && !Deliver(piece.first(got))) return;
      if (error) {
        Fail(error);
        return;
      }
      left -= got;
    }
  }

  bool Deliver(std::span<const Byte> bytes) {
    if (request_.on_body && answer_.status / 100 == 2) {
      if (request_.on_body(bytes)) return true;
      answer_.problem = Problem::kStopped;
      answer_.reason = "the rest was not wanted";
      return false;
    }
    if (answer_.body.size() + bytes.size() > request_.longest) {
      answer_.problem = Problem::kTooLong;
      answer_.reason = fmt::format("{}: the answer is too long", url_.host);
      return false;
    }
    answer_.body.append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    return true;
  }

  Connection& connection_;
  const HttpRequest& request_;
  const HttpUrl& url_;
  const HttpUrl* proxy_;
  HttpAnswer& answer_;
  std::optional<http::response_parser<http::buffer_body>> parser_;
  bool keep_ = false;
  bool began_ = false;
};

}  // namespace

struct HttpClient::Inner {
  Inner(const Host& wanted_host, HttpLimits wanted) : host(wanted_host), limits(wanted) {}

  asio::ssl::context& Tls() {
    const std::lock_guard hold(mutex);
    if (!tls) tls = TrustingContext(host);
    return *tls;
  }

  std::unique_ptr<Connection> Take(const std::string& key) {
    const std::lock_guard hold(mutex);
    std::vector<std::unique_ptr<Connection>>& kept = pool[key];
    while (!kept.empty()) {
      std::unique_ptr<Connection> connection = std::move(kept.back());
      kept.pop_back();
      if (Clock::now() - connection->idle_since < kLongestIdle && connection->IsIdle()) {
        return connection;
      }
    }
    return nullptr;
  }

  void Keep(const std::string& key, std::unique_ptr<Connection> connection) {
    connection->idle_since = Clock::now();
    const std::lock_guard hold(mutex);
    pool[key].push_back(std::move(connection));
  }

  const Host& host;
  HttpLimits limits;
  std::mutex mutex;
  std::unique_ptr<asio::ssl::context> tls;
  std::map<std::string, std::vector<std::unique_ptr<Connection>>> pool;
};

bool HttpAnswer::transient() const {
  return status >= 500 || status == 429 || status == 408 || problem == Problem::kCut ||
         problem == Problem::kTimeout || problem == Problem::kUnreached;
}

HttpLimits LimitsOf(const Host& host) {
  HttpLimits limits;
  const std::string text = host.Variable("WHEELRUN_NETWORK_TIMEOUT");
  int seconds = 0;
  std::from_chars(text.data(), text.data() + text.size(), seconds);
  if (seconds > 0) limits.idle = std::chrono::seconds(seconds);
  return limits;
}

HttpClient::HttpClient(const Host& host, HttpLimits limits)
    : inner_(std::make_unique<Inner>(host, limits)) {}
HttpClient::~HttpClient() = default;

HttpAnswer HttpClient::Send(const HttpRequest& request, const RetryPolicy& policy) {
  for (Retry retry(policy, inner_->host);;) {
    HttpAnswer answer = Send(request);
    if (!answer.transient() || !retry.Again()) return answer;
  }
}

HttpAnswer HttpClient::Send(const HttpRequest& request) {
  HttpUrl url, proxy_url;
  const auto refuse = [](std::string_view text) {
    HttpAnswer answer{.problem = Problem::kUrl};
    answer.reason = fmt::format("'{}' is not an HTTP URL", text.substr(0, text.find('?')));
    return answer;
  };
  if (!ReadHttpUrl(request.url, url)) return refuse(request.url);
  const std::string proxy = request.direct ? "" : ProxyFor(url, inner_->host);
  if (!proxy.empty() && (!ReadHttpUrl(proxy, proxy_url) || proxy_url.tls)) {
    return refuse("the proxy of the environment");
  }
  const HttpUrl* by = proxy.empty() ? nullptr : &proxy_url;
  const std::string key = fmt::format("{} {} {}", url.tls, url.authority, proxy);
  while (true) {
    HttpAnswer answer;
    std::unique_ptr<Connection> connection = inner_->Take(key);
    const bool kept = connection != nullptr;
    if (!kept) {
      connection = std::make_unique<Connection>(inner_->limits);
      if (!connection->Open(url, by, url.tls ? &inner_->Tls() : nullptr, answer)) return answer;
    }
    Exchange exchange(*connection, request, url, by, answer);
    exchange.Run();
    if (exchange.keep()) inner_->Keep(key, std::move(connection));
    // The server closed the connection before it got the request, or after it has done the work.
    // Only reading is safe to repeat.
    const bool reads = request.method == "GET" || request.method == "HEAD";
    if (answer.problem == Problem::kCut && kept && reads && !exchange.began()) continue;
    return answer;
  }
}

}  // namespace wheelwright
