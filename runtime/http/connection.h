// One connection to a server, perhaps through a proxy and TLS. Every step is bounded in time.
#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/ssl/context.hpp>
#include <boost/asio/ssl/stream.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/core/tcp_stream.hpp>
#include <chrono>
#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "runtime/http/http_client.h"
#include "runtime/platform/process.h"

namespace wheelwright {

using NetworkError = boost::system::error_code;

// Reads and writes like a blocking stream of Beast, whose reading of HTTP works on it. Inside, what
// cannot be done at once is waited for with a limit, and not longer than this program may run.
class Connection {
 public:
  explicit Connection(const HttpLimits& limits) : limits_(limits), tcp_(io_) {}

  // To the server of `url`, or to `proxy` on the way there. `tls` is null for plain HTTP. False: it
  // failed, and `answer` has the problem.
  bool Open(const HttpUrl& url, const HttpUrl* proxy, boost::asio::ssl::context* tls,
            HttpAnswer& answer);

  // Whether the other side has said nothing since the last answer, as it should.
  bool Rests();
  // Whether something can be read at once. Not known of TLS, whose records are not all data.
  bool HasWord();

  bool is_tls() const { return tls_.has_value(); }
  void set_idle(std::chrono::milliseconds limit) { limits_.idle = limit; }

  template <typename Buffers>
  std::size_t read_some(const Buffers& buffers, NetworkError& error);
  template <typename Buffers>
  std::size_t write_some(const Buffers& buffers, NetworkError& error);
  // Beast asks that a stream has these too.
  template <typename Buffers>
  std::size_t read_some(const Buffers& buffers);
  template <typename Buffers>
  std::size_t write_some(const Buffers& buffers);

  // What was read and belongs to nobody yet.
  boost::beast::flat_buffer& buffer() { return buffer_; }
  // For bodies on their way.
  std::vector<Byte>& piece() { return piece_; }
  std::chrono::steady_clock::time_point rests_since;

 private:
  template <typename Start>
  NetworkError Await(std::chrono::milliseconds limit, const Start& start);
  bool Connect(const std::string& host, const std::string& port, HttpAnswer& answer);
  bool Tunnel(const HttpUrl& url, const HttpUrl& proxy, HttpAnswer& answer);
  bool Shake(const HttpUrl& url, boost::asio::ssl::context& tls, HttpAnswer& answer);

  HttpLimits limits_;
  boost::asio::io_context io_;
  boost::beast::tcp_stream tcp_;
  std::optional<boost::asio::ssl::stream<boost::beast::tcp_stream&>> tls_;
  boost::beast::flat_buffer buffer_;
  std::vector<Byte> piece_ = std::vector<Byte>(kPiece);

  static constexpr std::size_t kPiece = std::size_t{256} << 10;
};

// The credentials of a proxy as its header has them, or "".
std::string BasicCredentials(const std::string& user_info);
// What an error means, for people: "example.com: connection reset by peer".
HttpAnswer::Problem Explain(const NetworkError& error, std::string_view host, std::string& reason);

template <typename Start>
NetworkError Connection::Await(std::chrono::milliseconds limit, const Start& start) {
  constexpr std::chrono::milliseconds kLook{200};  // for being told to end
  NetworkError result;
  bool done = false;
  tcp_.expires_after(limit);
  start([&](const NetworkError& error, auto&&...) {
    result = error;
    done = true;
  });
  io_.restart();
  while (!done) {
    io_.run_for(kLook);
    if (!done && InterruptedBy() != 0) tcp_.cancel();
  }
  tcp_.expires_never();
  io_.poll();
  return InterruptedBy() != 0 ? NetworkError(boost::asio::error::interrupted) : result;
}

template <typename Buffers>
std::size_t Connection::read_some(const Buffers& buffers, NetworkError& error) {
  if (!tls_) {
    const std::size_t got = tcp_.socket().read_some(buffers, error);
    if (error != boost::asio::error::would_block) return got;
  }
  std::size_t got = 0;
  error = Await(limits_.idle, [&](auto done) {
    auto handler = [&got, done](const NetworkError& end, std::size_t bytes) {
      got = bytes;
      done(end);
    };
    if (tls_) {
      tls_->async_read_some(buffers, std::move(handler));
    } else {
      tcp_.async_read_some(buffers, std::move(handler));
    }
  });
  return got;
}

template <typename Buffers>
std::size_t Connection::write_some(const Buffers& buffers, NetworkError& error) {
  if (!tls_) {
    const std::size_t put = tcp_.socket().write_some(buffers, error);
    if (error != boost::asio::error::would_block) return put;
  }
  std::size_t put = 0;
  error = Await(limits_.idle, [&](auto done) {
    auto handler = [&put, done](const NetworkError& end, std::size_t bytes) {
      put = bytes;
      done(end);
    };
    if (tls_) {
      tls_->async_write_some(buffers, std::move(handler));
    } else {
      tcp_.async_write_some(buffers, std::move(handler));
    }
  });
  return put;
}

template <typename Buffers>
std::size_t Connection::read_some(const Buffers& buffers) {
  NetworkError error;
  const std::size_t got = read_some(buffers, error);
  if (error) throw boost::system::system_error(error);
  return got;
}

template <typename Buffers>
std::size_t Connection::write_some(const Buffers& buffers) {
  NetworkError error;
  const std::size_t put = write_some(buffers, error);
  if (error) throw boost::system::system_error(error);
  return put;
}

}  // namespace wheelwright
