// Retries with exponential backoff, for requests, programs and pages with transient errors.
#pragma once

#include <chrono>
#include <functional>
#include <limits>
#include <optional>

#include "runtime/host/environment/host.h"

namespace wheelwright {

struct RetryPolicy {
  int tries = 1;  // maximum, including the first
  // The maximum wait before the second try. It doubles with each try, up to `longest`.
  std::chrono::milliseconds first{200};
  std::chrono::milliseconds longest{20'000};
  // A wait is a random share, from `least` to 1, of its maximum. 0 is "full jitter": clients that
  // failed together do not retry together.
  // https://aws.amazon.com/blogs/architecture/exponential-backoff-and-jitter/
  double least = 0;
  // No try begins more than this time after the first. 0: no limit.
  std::chrono::milliseconds deadline{0};
};

// The state of one operation with retries:
//   for (Retry retry(policy, host);;) { if (Try() || !retry.Again()) return; }
class Retry {
 public:
  using Sleep = std::function<void(std::chrono::milliseconds)>;
  using Now = std::function<std::chrono::system_clock::time_point()>;

  Retry(const RetryPolicy& policy, const Host& host) : Retry(policy, host.sleep, host.now) {}
  Retry(const RetryPolicy& policy, Sleep sleep, Now now = std::chrono::system_clock::now);

  // The number of the current try, from 1.
  int tried() const { return tried_; }

  // The wait before the next try: at least `least`, but no longer than the policy's maximum.
  // Nothing when there is no next try, because of the policy, of `most` tries or of a signal that
  // ends this program.
  std::optional<std::chrono::milliseconds> Next(
      int most = std::numeric_limits<int>::max(),
      std::chrono::milliseconds least = std::chrono::milliseconds(0)) const;
  // Waits, then begins the next try. False when a signal came meanwhile.
  bool Begin(std::chrono::milliseconds wait);
  // Next() and Begin(). False when there is no next try.
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
