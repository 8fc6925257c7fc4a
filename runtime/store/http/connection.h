// One connection to a server, with or without a proxy and TLS. Every step has a time limit.
#pragma once

#include <boost/asio/ssl/context.hpp>
#include <boost/asio/ssl/stream.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <chrono>
#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "runtime/store/http/http_client.h"
#include "runtime/store/http/patient_socket.h"

namespace wheelwright {

// A synchronous stream for Beast's HTTP parser.
class Connection {
 public:
  explicit Connection(const HttpLimits& limits) : limits_(limits), socket_(limits.idle) {}

  // Connects to the server of `url`, through `proxy` if not null. `tls` is null for plain HTTP. On
  // failure returns false and sets the problem of `answer`.
  bool Open(const HttpUrl& url, const HttpUrl* proxy, boost::asio::ssl::context* tls,
            HttpAnswer& answer);

  // Whether the server is still connected and sent nothing since the last answer.
  bool IsIdle();
  // Whether something can be read at once. Unknown with TLS, whose records are not all data.
  bool HasInput();

  void BeginPace() { socket_.BeginPace(); }
  void set_idle(std::chrono::milliseconds limit) { socket_.set_idle(limit); }

  template <typename Buffers>
  std::size_t read_some(const Buffers& buffers, NetworkError& error) {
    return tls_ ? tls_->read_some(buffers, error) : socket_.read_some(buffers, error);
  }
  template <typename Buffers>
  std::size_t write_some(const Buffers& buffers, NetworkError& error) {
    return tls_ ? tls_->write_some(buffers, error) : socket_.write_some(buffers, error);
  }
  // Beast requires these of a stream too.
  template <typename Buffers>
  std::size_t read_some(const Buffers& buffers) {
    NetworkError error;
    const std::size_t got = read_some(buffers, error);
    if (error) throw boost::system::system_error(error);
    return got;
  }
  template <typename Buffers>
  std::size_t write_some(const Buffers& buffers) {
    NetworkError error;
    const std::size_t put = write_some(buffers, error);
    if (error) throw boost::system::system_error(error);
    return put;
  }
  // Reads into `piece` until it is full or an error occurs; returns the number of bytes.
  std::size_t Fill(std::span<Byte> piece, NetworkError& error);

  // Bytes that were read but not yet used.
  boost::beast::flat_buffer& buffer() { return buffer_; }
  // A buffer for bodies.
  std::span<Byte> piece() { return {piece_.get(), kPiece}; }
  std::chrono::steady_clock::time_point idle_since;

 private:
  bool Connect(const std::string& host, const std::string& port, HttpAnswer& answer);
  bool Tunnel(const HttpUrl& url, const HttpUrl& proxy, HttpAnswer& answer);
  bool Shake(const HttpUrl& url, boost::asio::ssl::context& tls, HttpAnswer& answer);

  // A power of two for aligned writes to files, and small enough to stay in the cache until then.
  static constexpr std::size_t kPiece = std::size_t{256} << 10;

  HttpLimits limits_;
  PatientSocket socket_;
  std::optional<boost::asio::ssl::stream<PatientSocket&>> tls_;
  boost::beast::flat_buffer buffer_;
  std::unique_ptr<Byte[]> piece_ = std::make_unique_for_overwrite<Byte[]>(kPiece);
};

// The credentials for the header of a proxy, or "".
std::string BasicCredentials(const std::string& user_info);
// What an error means, for people: "example.com: connection reset by peer".
HttpAnswer::Problem Explain(const NetworkError& error, std::string_view host, std::string& reason);

}  // namespace wheelwright
