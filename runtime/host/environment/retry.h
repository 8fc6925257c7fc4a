// Trying again after a wait: one rule for requests, programs and pages that may fail for a moment.
#pragma once

#include <chrono>
#include <functional>
#include <limits>
#include <optional>

#include "runtime/host/environment/host.h"

namespace wheelwright {

struct RetryPolicy {
  int tries = 1;  // at most, with the first
  // The longest wait before the second try. It doubles with each try, up to `longest`.
  std::chrono::milliseconds first{200};
  std::chrono::milliseconds longest{20'000};
  // A wait is drawn from [least, 1] times the longest one. With 0, "full jitter", clients that
  // failed together do not come back together.
  // https://aws.amazon.com/blogs/architecture/exponential-backoff-and-jitter/
  double least = 0;
  // No try begins later than this after the first one. 0: no limit.
  std::chrono::milliseconds deadline{0};
};

// The state of one operation that is tried again:
//   for (Retry retry(policy, host);;) { if (Try() || !retry.Again()) return; }
class Retry {
 public:
  using Sleep = std::function<void(std::chrono::milliseconds)>;
  using Now = std::function<std::chrono::system_clock::time_point()>;

  Retry(const RetryPolicy& policy, const Host& host) : Retry(policy, host.sleep, host.now) {}
  Retry(const RetryPolicy& policy, Sleep sleep, Now now = std::chrono::system_clock::now);

  // Tries that have begun: 1 during the first.
  int tried() const { return tried_; }

  // How long to wait before the next try, at least `least` within the policy's longest wait.
  // Nothing: there is none, because of the policy, `most` tries or a signal that ends this program.
  std::optional<std::chrono::milliseconds> Next(
      int most = std::numeric_limits<int>::max(),
      std::chrono::milliseconds least = std::chrono::milliseconds(0)) const;
  // Waits and begins the next try. False: a signal came meanwhile.
  bool Begin(std::chrono::milliseconds wait);
  // Both. False: there is no next try.
  bool Again(int most = std::numeric_limits<int>::max(),
             std::chrono::milliseconds least = std::chrono::milliseconds(0));

 private:
  RetryPolicy policy_;
  Sleep sleep_;
  Now now_;
  std::chrono::system_clock::time_point started_;
  int tried_ = 1;
};

}  // namespace wheelwright
