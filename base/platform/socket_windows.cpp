#include "base/platform/socket.h"

// Before windows.h, which has the older one otherwise.
#include <winsock2.h>

namespace wheelwright {

void AwaitSocket(std::uintptr_t socket, bool writable, std::chrono::milliseconds time) {
  WSAPOLLFD polled{};
  polled.fd = socket;
  polled.events = writable ? POLLOUT : POLLIN;
  WSAPoll(&polled, 1, static_cast<int>(time.count()));
}

}  // namespace wheelwright
