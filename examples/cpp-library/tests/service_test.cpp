#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <iostream>
#include <string>

#include "tidemark.h"

int main() {
  const char* port = std::getenv("VALKEY_PORT");
  if (port == nullptr) {
    std::cerr << "VALKEY_PORT does not say where the server is\n";
    return EXIT_FAILURE;
  }
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<unsigned short>(std::atoi(port)));
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  const int server = socket(AF_INET, SOCK_STREAM, 0);
  if (connect(server, reinterpret_cast<sockaddr*>(&address), sizeof address) != 0) {
    std::cerr << "nothing listens at port " << port << '\n';
    return EXIT_FAILURE;
  }
  const std::string command = tidemark::set_command("harbour", 5);
  std::array<char, 64> answer{};
  const bool sent =
      write(server, command.data(), command.size()) == static_cast<ssize_t>(command.size());
  const auto count = sent ? read(server, answer.data(), answer.size()) : -1;
  close(server);
  const bool kept =
      count > 0 && std::string(answer.data(), static_cast<std::size_t>(count)) == "+OK\r\n";
  std::cout << (kept ? "the server keeps the mark\n" : "the server does not take the mark\n");
  return kept ? EXIT_SUCCESS : EXIT_FAILURE;
}
