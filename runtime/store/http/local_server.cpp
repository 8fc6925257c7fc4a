#include "runtime/store/http/local_server.h"

#include <fmt/format.h>

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/read_until.hpp>
#include <boost/asio/write.hpp>
#include <cstddef>
#include <thread>
#include <utility>
#include <vector>

namespace wheelwright {
namespace {

using LocalTcp = boost::asio::ip::tcp;
using LocalError = boost::system::error_code;
using LocalHandler = std::function<LocalAnswer(std::string_view path)>;

// Handlers may wait for a store, and installers open many connections.
constexpr std::size_t kServerThreads = 16;
constexpr std::size_t kMostHead = std::size_t{64} << 10;

// The path of "GET /torch/?x HTTP/1.1".
std::string_view PathOf(std::string_view line) {
  line = line.substr(0, line.rfind(' '));
  line = line.substr(line.find(' ') + 1);
  return line.substr(0, line.find('?'));
}

// One connection, which lives as long as an operation on it is under way.
class LocalSession : public std::enable_shared_from_this<LocalSession> {
 public:
  LocalSession(LocalTcp::socket socket, const LocalHandler& handler)
      : socket_(std::move(socket)), handler_(handler) {}

  void Read() {
    boost::asio::async_read_until(
        socket_, boost::asio::dynamic_buffer(input_, kMostHead), "\r\n\r\n",
        [self = shared_from_this()](const LocalError& error, std::size_t length) {
          if (!error) self->Serve(length);
        });
  }

 private:
  // Answers the request in the first `length` bytes. Installers send no bodies.
  void Serve(std::size_t length) {
    const std::string line = input_.substr(0, input_.find("\r\n"));
    input_.erase(0, length);
    const bool head = line.starts_with("HEAD ");
    LocalAnswer answer{.status = 405};
    if (head || line.starts_with("GET ")) answer = handler_(PathOf(line));
    // Some clients reject an empty reason. max-age: the files do not change while this runs.
    output_ = fmt::format(
        "HTTP/1.1 {} {}\r\nContent-Type: {}\r\nContent-Length: {}\r\nCache-Control: max-age=600\r\n"
        "\r\n",
        answer.status, answer.status == 200 ? "OK" : "Refused", answer.type, answer.body.size());
    if (!head) output_ += answer.body;
    boost::asio::async_write(socket_, boost::asio::buffer(output_),
                             [self = shared_from_this()](const LocalError& error, std::size_t) {
                               if (!error) self->Read();
                             });
  }

  LocalTcp::socket socket_;
  const LocalHandler& handler_;
  std::string input_;
  std::string output_;
};

}  // namespace

struct LocalServer::Running {
  explicit Running(LocalHandler given)
      : handler(std::move(given)),
        acceptor(context, {boost::asio::ip::address_v4::loopback(), 0}) {}

  void Accept() {
    acceptor.async_accept([this](const LocalError& error, LocalTcp::socket socket) {
      if (error) return;
      LocalError ignored;
      socket.set_option(LocalTcp::no_delay(true), ignored);
      std::make_shared<LocalSession>(std::move(socket), handler)->Read();
      Accept();
    });
  }

  LocalHandler handler;
  boost::asio::io_context context;
  LocalTcp::acceptor acceptor;
  std::vector<std::jthread> threads;  // end before the rest
};

LocalServer::LocalServer(std::function<LocalAnswer(std::string_view path)> handler)
    : running_(std::make_unique<Running>(std::move(handler))) {
  url_ = fmt::format("http://127.0.0.1:{}", running_->acceptor.local_endpoint().port());
  running_->Accept();
  for (std::size_t i = 0; i < kServerThreads; ++i) {
    running_->threads.emplace_back([this] { running_->context.run(); });
  }
}

LocalServer::~LocalServer() {
  running_->context.stop();
  running_->threads.clear();
}

}  // namespace wheelwright
