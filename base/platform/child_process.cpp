#include "base/platform/child_process.h"

#include <thread>

namespace wheelwright {

void SleepUnlessInterrupted(std::chrono::milliseconds time) {
  constexpr std::chrono::milliseconds kLook{100};
  for (; time.count() > 0 && InterruptedBy() == 0; time -= kLook) {
    std::this_thread::sleep_for(std::min(time, kLook));
  }
}

}  // namespace wheelwright
