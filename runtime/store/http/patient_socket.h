// A TCP socket with a time limit, which also stops waiting when a signal ends this program.
#pragma once

#include <boost/asio/error.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <chrono>
#include <cstddef>
#include <cstdint>

namespace wheelwright {

using NetworkError = boost::system::error_code;

// A synchronous stream for asio's TLS. The error is `timed_out` after the limit, and `interrupted`
// after a signal that ends this program.
class PatientSocket {
 public:
  using Tcp = boost::asio::ip::tcp;
  // asio's TLS requires these names of the stream below it.
  // NOLINTBEGIN(readability-identifier-naming)
  using executor_type = Tcp::socket::executor_type;
  using lowest_layer_type = Tcp::socket::lowest_layer_type;
  // NOLINTEND(readability-identifier-naming)

  explicit PatientSocket(std::chrono::milliseconds idle) : idle_(idle), socket_(io_) {}

  executor_type get_executor() { return socket_.get_executor(); }
  lowest_layer_type& lowest_layer() { return socket_.lowest_layer(); }
  boost::asio::io_context& io() { return io_; }

  NetworkError Connect(const Tcp::endpoint& address, std::chrono::milliseconds limit);
  // The longest wait without a byte.
  void set_idle(std::chrono::milliseconds limit) { idle_ = limit; }
  // From here on, after `kGrace` times the limit, both directions together must carry at least
  // `kLeastRate` bytes a second on average. Otherwise a server that sends a byte now and then could
  // keep a request open for ever.
  void BeginPace() {
    since_ = std::chrono::steady_clock::now();
    carried_ = 0;
  }
  static constexpr int kGrace = 10;
  static constexpr std::uint64_t kLeastRate = 1024;

  // Lets reading wait for this many bytes, or a short time for fewer: waking up for every packet
  // costs more than reading.
  void WakeFor(std::size_t bytes);
  // Peeks at the next byte, without waiting.
  NetworkError Peek();

  template <typename Buffers>
  std::size_t read_some(const Buffers& buffers, NetworkError& error) {
    return Try(kReadable, error, [&] { return socket_.read_some(buffers, error); });
  }
  template <typename Buffers>
  std::size_t write_some(const Buffers& buffers, NetworkError& error) {
    return Try(kWritable, error, [&] { return socket_.write_some(buffers, error); });
  }

 private:
  enum Event { kReadable, kWritable };

  template <typename Step>
  std::size_t Try(Event event, NetworkError& error, const Step& step) {
    std::size_t done = step();
    if (error == boost::asio::error::would_block) {
      const auto until = Until();
      do {
        if (!Await(event, until, error)) return 0;
        done = step();
      } while (error == boost::asio::error::would_block);
    }
    carried_ += done;
    return done;
  }
  // Waits for the event. False on a time limit, a signal or an error.
  bool Await(Event event, std::chrono::steady_clock::time_point until, NetworkError& error);

  // When waiting ends: after the idle limit, or when the average is too slow.
  std::chrono::steady_clock::time_point Until() const;

  std::chrono::milliseconds idle_;
  std::chrono::steady_clock::time_point since_ = std::chrono::steady_clock::now();
  std::uint64_t carried_ = 0;  // bytes, since then
  boost::asio::io_context io_;
  Tcp::socket socket_;
  std::size_t wakes_for_ = 1;
};

}  // namespace wheelwright
