#include "runtime/store/http/patient_socket.h"

#include <algorithm>

#include "base/platform/child_process.h"
#include "base/platform/socket.h"

namespace wheelwright {
namespace {

namespace asio = boost::asio;
using Clock = std::chrono::steady_clock;

constexpr std::chrono::milliseconds kPoll{200};  // between looks for a signal

}  // namespace

NetworkError PatientSocket::Connect(const Tcp::endpoint& address, std::chrono::milliseconds limit) {
  NetworkError result = asio::error::would_block;
  const auto until = Clock::now() + limit;
  socket_.async_connect(address, [&](const NetworkError& error) { result = error; });
  io_.restart();
  while (io_.run_for(kPoll) == 0) {
    if (InterruptedBy() == 0 && Clock::now() < until) continue;
    NetworkError ignored;
    socket_.close(ignored);
    io_.run();  // runs the handler
    return InterruptedBy() != 0 ? asio::error::interrupted : asio::error::timed_out;
  }
  NetworkError ignored;
  if (!result) {
    socket_.set_option(Tcp::no_delay(true), ignored);
    socket_.non_blocking(true, result);
  }
  if (result) socket_.close(ignored);
  return result;
}

void PatientSocket::WakeFor(std::size_t bytes) {
  if (bytes == wakes_for_) return;
  NetworkError ignored;  // where there is no such thing, it wakes up for all
  socket_.set_option(Tcp::socket::receive_low_watermark(static_cast<int>(bytes)), ignored);
  wakes_for_ = bytes;
}

NetworkError PatientSocket::Peek() {
  char byte = 0;
  NetworkError error;
  socket_.receive(asio::buffer(&byte, 1), Tcp::socket::message_peek, error);
  return error;
}

Clock::time_point PatientSocket::Until() const {
  const auto slowest = since_ + idle_ * kGrace +
                       std::chrono::seconds(static_cast<std::int64_t>(carried_ / kLeastRate));
  return std::min(Clock::now() + idle_, slowest);
}

bool PatientSocket::Await(Event event, Clock::time_point until, NetworkError& error) {
  const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(until - Clock::now());
  if (InterruptedBy() != 0 || left.count() <= 0) {
    error = InterruptedBy() != 0 ? asio::error::interrupted : asio::error::timed_out;
    return false;
  }
  // The next read or write reports any other event.
  AwaitSocket(static_cast<std::uintptr_t>(socket_.native_handle()), event == kWritable,
              std::min(left, kPoll));
  return true;
}

}  // namespace wheelwright
