#include "runtime/store/http/connection.h"

#include <fmt/format.h>

#include <algorithm>
#include <boost/asio/ssl/host_name_verification.hpp>
#include <boost/asio/write.hpp>
#include <boost/beast/core/error.hpp>
#include <boost/beast/http/empty_body.hpp>
#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/read.hpp>
#include <random>

#include "base/platform/child_process.h"
#include "runtime/store/digest/digest.h"

namespace wheelwright {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = beast::http;
using Tcp = asio::ip::tcp;
using Problem = HttpAnswer::Problem;

// "%40" is how an `@` is written in a password within an URL.
std::string Decoded(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    int value = 0;
    const auto digit = [&](char c) {
      const std::size_t at = std::string_view("0123456789abcdefABCDEF").find(c);
      if (at == std::string_view::npos) return false;
      value = value * 16 + static_cast<int>(at > 15 ? at - 6 : at);
      return true;
    };
    if (text[i] == '%' && i + 2 < text.size() && digit(text[i + 1]) && digit(text[i + 2])) {
      out += static_cast<char>(value);
      i += 2;
    } else {
      out += text[i];
    }
  }
  return out;
}

bool Fail(HttpAnswer& answer, const NetworkError& error, std::string_view host, Problem otherwise) {
  answer.problem = Explain(error, host, answer.reason);
  if (answer.problem == Problem::kCut) answer.problem = otherwise;
  return false;
}

}  // namespace

std::string BasicCredentials(const std::string& user_info) {
  return user_info.empty() ? std::string() : "Basic " + Base64(Decoded(user_info));
}

Problem Explain(const NetworkError& error, std::string_view host, std::string& reason) {
  if (error == asio::error::interrupted) {
    reason = "interrupted";
    return Problem::kInterrupted;
  }
  if (error == beast::error::timeout || error == asio::error::timed_out) {
    reason = fmt::format("{}: the connection timed out or was too slow", host);
    return Problem::kTimeout;
  }
  if (error == asio::error::eof || error == http::error::end_of_stream ||
      error == http::error::partial_message || error == asio::ssl::error::stream_truncated) {
    reason = fmt::format("{}: the connection ended early", host);
    return Problem::kCut;
  }
  reason = fmt::format("{}: {}", host, error.message());
  if (error.category() == http::make_error_code(http::error::bad_version).category()) {
    reason = fmt::format("{}: the answer is not HTTP: {}", host, error.message());
    return Problem::kUnreadable;
  }
  return Problem::kCut;
}

bool Connection::Connect(const std::string& host, const std::string& port, HttpAnswer& answer) {
  Tcp::resolver resolver(socket_.io());
  NetworkError error;
  const Tcp::resolver::results_type found = resolver.resolve(host, port, error);
  if (error) {
    answer.problem = Problem::kUnreached;
    answer.reason = fmt::format("{}: there is no such host, or names cannot be looked up ({})",
                                host, error.message());
    return false;
  }
  // S3 has several addresses: parallel connections spread over them.
  std::vector<Tcp::endpoint> addresses;
  for (const auto& entry : found) addresses.push_back(entry.endpoint());
  std::shuffle(addresses.begin(), addresses.end(), std::minstd_rand(std::random_device{}()));
  std::ranges::stable_partition(addresses, [&](const Tcp::endpoint& address) {
    return address.protocol() == found.begin()->endpoint().protocol();
  });
  for (const Tcp::endpoint& address : addresses) {
    error = socket_.Connect(address, limits_.connect);
    if (!error || error == asio::error::interrupted) break;
  }
  return !error || Fail(answer, error, fmt::format("{}:{}", host, port), Problem::kUnreached);
}

bool Connection::Tunnel(const HttpUrl& url, const HttpUrl& proxy, HttpAnswer& answer) {
  const bool six = url.host.find(':') != std::string::npos;
  const std::string target =
      fmt::format("{}{}{}:{}", six ? "[" : "", url.host, six ? "]" : "", url.port);
  std::string head = fmt::format("CONNECT {0} HTTP/1.1\r\nHost: {0}\r\n", target);
  if (const std::string credentials = BasicCredentials(proxy.user_info); !credentials.empty()) {
    head += fmt::format("Proxy-Authorization: {}\r\n", credentials);
  }
  NetworkError error;
  asio::write(*this, asio::buffer(head + "\r\n"), error);
  http::response_parser<http::empty_body> parser;
  parser.skip(true);
  if (!error) http::read_header(*this, buffer_, parser, error);
  if (error) return Fail(answer, error, proxy.host, Problem::kUnreached);
  if (parser.get().result_int() != 200) {
    answer.problem = Problem::kUnreached;
    answer.reason = fmt::format("the proxy {} does not connect to {}: it answers {}", proxy.host,
                                target, parser.get().result_int());
    return false;
  }
  return true;
}

bool Connection::Shake(const HttpUrl& url, asio::ssl::context& tls, HttpAnswer& answer) {
  tls_.emplace(socket_, tls);
  tls_->set_verify_callback(asio::ssl::host_name_verification(url.host));
  SSL_set_tlsext_host_name(tls_->native_handle(), url.host.c_str());
  NetworkError error;
  tls_->handshake(asio::ssl::stream_base::client, error);
  if (!error) return true;
  const long verdict = SSL_get_verify_result(tls_->native_handle());
  if (verdict != X509_V_OK) {
    answer.problem = Problem::kTls;
    answer.reason = fmt::format("{}: its certificate is not trusted: {}", url.host,
                                X509_verify_cert_error_string(verdict));
    return false;
  }
  const bool ssl = error.category() == asio::error::get_ssl_category();
  return Fail(answer, error, url.host, ssl ? Problem::kTls : Problem::kUnreached);
}

bool Connection::Open(const HttpUrl& url, const HttpUrl* proxy, asio::ssl::context* tls,
                      HttpAnswer& answer) {
  const HttpUrl& next = proxy != nullptr ? *proxy : url;
  if (!Connect(next.host, next.port, answer)) return false;
  if (tls == nullptr) return true;
  return (proxy == nullptr || Tunnel(url, *proxy, answer)) && Shake(url, *tls, answer);
}

bool Connection::IsIdle() {
  const NetworkError error = socket_.Peek();
  // A TLS server may send session tickets at any time.
  return error == asio::error::would_block || (tls_ && !error);
}

bool Connection::HasInput() { return !tls_ && socket_.Peek() != asio::error::would_block; }

std::size_t Connection::Fill(std::span<Byte> piece, NetworkError& error) {
  std::size_t filled = asio::buffer_copy(asio::buffer(piece.data(), piece.size()), buffer_.data());
  buffer_.consume(filled);
  while (filled < piece.size() && !error) {
    const std::span<Byte> rest = piece.subspan(filled);
    if (!tls_ && piece.size() == kPiece) socket_.WakeFor(rest.size());
    filled += read_some(asio::buffer(rest.data(), rest.size()), error);
  }
  // The next answer may be short.
  socket_.WakeFor(1);
  return filled;
}

}  // namespace wheelwright
