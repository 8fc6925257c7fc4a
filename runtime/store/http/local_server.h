// A web server for programs that this one starts, such as installers. Listens on 127.0.0.1 only.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>

namespace wheelwright {

struct LocalAnswer {
  unsigned status = 404;
  std::string type = "text/plain; charset=utf-8";
  std::string body;
};

class LocalServer {
 public:
  // `handler` gets the path of each GET and HEAD, as it was sent and without a query: "/torch/". It
  // is called from several threads and must not throw. Throws std::runtime_error when the system
  // gives no port.
  explicit LocalServer(std::function<LocalAnswer(std::string_view path)> handler);
  LocalServer(const LocalServer&) = delete;
  LocalServer& operator=(const LocalServer&) = delete;
  // Closes all connections.
  ~LocalServer();

  const std::string& url() const { return url_; }  // "http://127.0.0.1:40123", without a slash

 private:
  struct Running;

  std::unique_ptr<Running> running_;
  std::string url_;
};

}  // namespace wheelwright
