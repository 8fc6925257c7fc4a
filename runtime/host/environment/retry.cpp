#include "runtime/host/environment/retry.h"

#include <algorithm>
#include <random>
#include <utility>

#include "base/platform/child_process.h"

namespace wheelwright {

using std::chrono::milliseconds;

Retry::Retry(const RetryPolicy& policy, Sleep sleep, Now now)
    : policy_(policy), sleep_(std::move(sleep)), now_(std::move(now)), started_(now_()) {}

std::optional<milliseconds> Retry::Next(int most, milliseconds least) const {
  constexpr int kMostDoublings = 16;
  if (tried_ >= std::min(policy_.tries, most) || InterruptedBy() != 0) return std::nullopt;
  thread_local std::minstd_rand random{std::random_device{}()};
  const milliseconds longest =
      std::min(policy_.longest, policy_.first * (1 << std::min(tried_ - 1, kMostDoublings)));
  const auto shortest =
      static_cast<std::int64_t>(static_cast<double>(longest.count()) * policy_.least);
  milliseconds wait{std::uniform_int_distribution<std::int64_t>(shortest, longest.count())(random)};
  wait = std::max(wait, std::min(least, policy_.longest));
  if (policy_.deadline.count() > 0 && now_() + wait > started_ + policy_.deadline) {
    return std::nullopt;
  }
  return wait;
}

bool Retry::Begin(milliseconds wait) {
  if (wait.count() > 0) sleep_(wait);
  ++tried_;
  return InterruptedBy() == 0;
}

bool Retry::Again(int most, milliseconds least) {
  const std::optional<milliseconds> wait = Next(most, least);
  return wait && Begin(*wait);
}

}  // namespace wheelwright
