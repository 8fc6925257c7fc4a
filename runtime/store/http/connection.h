// One connection to a server, perhaps through a proxy and TLS. Every step is bounded in time.
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

// Reads and writes like a blocking stream of Beast, whose reading of HTTP works on it.
class Connection {
 public:
  explicit Connection(const HttpLimits& limits) : limits_(limits), socket_(limits.idle) {}

  // To the server of `url`, or to `proxy` on the way there. `tls` is null for plain HTTP. False: it
  // failed, and `answer` has the problem.
  bool Open(const HttpUrl& url, const HttpUrl* proxy, boost::asio::ssl::context* tls,
            HttpAnswer& answer);

  // Whether the server sent nothing since the last answer, as it should.
  bool IsIdle();
  // Whether something can be read at once. Not known of TLS, whose records are not all data.
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
  // Beast asks that a stream has these too.
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
  // Fills `piece` with what comes next, as far as there is no error; gives how far that is.
  std::size_t Fill(std::span<Byte> piece, NetworkError& error);

  // Bytes that were read and not yet used.
  boost::beast::flat_buffer& buffer() { return buffer_; }
  // A buffer for bodies.
  std::span<Byte> piece() { return {piece_.get(), kPiece}; }
  std::chrono::steady_clock::time_point idle_since;

 private:
  bool Connect(const std::string& host, const std::string& port, HttpAnswer& answer);
  bool Tunnel(const HttpUrl& url, const HttpUrl& proxy, HttpAnswer& answer);
  bool Shake(const HttpUrl& url, boost::asio::ssl::context& tls, HttpAnswer& answer);

  // A power of two, so that files are written in aligned pieces, and small enough that what was
  // received is still in the cache when it is written.
  static constexpr std::size_t kPiece = std::size_t{256} << 10;

  HttpLimits limits_;
  PatientSocket socket_;
  std::optional<boost::asio::ssl::stream<PatientSocket&>> tls_;
  boost::beast::flat_buffer buffer_;
  std::unique_ptr<Byte[]> piece_ = std::make_unique_for_overwrite<Byte[]>(kPiece);
};

// The credentials of a proxy as its header has them, or "".
std::string BasicCredentials(const std::string& user_info);
// What an error means, for people: "example.com: connection reset by peer".
HttpAnswer::Problem Explain(const NetworkError& error, std::string_view host, std::string& reason);

}  // namespace wheelwright
