// Sockets, as far as Asio does not know them.
#pragma once

#include <chrono>
#include <cstdint>

namespace wheelwright {

// Until one can read from it, or write to it, or it has failed, or the time is over.
void AwaitSocket(std::uintptr_t socket, bool writable, std::chrono::milliseconds time);

}  // namespace wheelwright
