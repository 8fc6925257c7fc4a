#include <poll.h>

#include "base/platform/socket.h"

namespace wheelwright {

void AwaitSocket(std::uintptr_t socket, bool writable, std::chrono::milliseconds time) {
  pollfd polled{};
  polled.fd = static_cast<int>(socket);
  polled.events = writable ? POLLOUT : POLLIN;
  poll(&polled, 1, static_cast<int>(time.count()));
}

}  // namespace wheelwright
