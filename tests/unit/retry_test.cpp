// Trying again, on a clock that only moves when it is slept on.
#include "runtime/host/environment/retry.h"

#include <catch2/catch.hpp>
#include <vector>

namespace wheelwright {
namespace {

using std::chrono::milliseconds;

struct FakeClock {
  std::chrono::system_clock::time_point now{};
  std::vector<milliseconds> waits;

  Retry Begin(const RetryPolicy& policy) {
    return {policy,
            [this](milliseconds time) {
              waits.push_back(time);
              now += time;
            },
            [this] { return now; }};
  }
};

TEST_CASE("waits double up to the longest, within their jitter", "[retry]") {
  FakeClock clock;
  Retry retry = clock.Begin(
      {.tries = 6, .first = milliseconds(100), .longest = milliseconds(400), .least = 0.5});
  while (retry.Again()) {
  }
  CHECK(retry.tried() == 6);
  const std::vector<int> longest{100, 200, 400, 400, 400};
  REQUIRE(clock.waits.size() == longest.size());
  for (std::size_t i = 0; i < longest.size(); ++i) {
    CHECK(clock.waits[i] <= milliseconds(longest[i]));
    CHECK(clock.waits[i] >= milliseconds(longest[i] / 2));
  }
}

TEST_CASE("many tries wait no longer than the longest", "[retry]") {
  FakeClock clock;
  Retry retry = clock.Begin(
      {.tries = 100, .first = milliseconds(1), .longest = milliseconds(2000), .least = 1});
  while (retry.Again()) {
  }
  CHECK(clock.waits.size() == 99);
  CHECK(clock.waits.back() == milliseconds(2000));
}

TEST_CASE("no try begins after the deadline", "[retry]") {
  FakeClock clock;
  Retry retry = clock.Begin({.tries = 100,
                             .first = milliseconds(100),
                             .longest = milliseconds(100),
                             .least = 1,
                             .deadline = milliseconds(350)});
  while (retry.Again()) {
  }
  CHECK(retry.tried() == 4);
  // The time of the tries themselves counts too.
  Retry slow =
      clock.Begin({.tries = 100, .first = milliseconds(100), .deadline = milliseconds(350)});
  clock.now += milliseconds(400);
  CHECK_FALSE(slow.Again());
}

TEST_CASE("a server may ask for a longer wait, and one failure for fewer tries", "[retry]") {
  FakeClock clock;
  Retry retry = clock.Begin({.tries = 5, .first = milliseconds(10), .longest = milliseconds(1000)});
  CHECK(retry.Again(5, milliseconds(500)));
  CHECK(clock.waits.back() == milliseconds(500));
  CHECK(retry.Again(5, milliseconds(60'000)));
  CHECK(clock.waits.back() == milliseconds(1000));
  CHECK_FALSE(retry.Again(3));
  CHECK(retry.tried() == 3);
  CHECK_FALSE(clock.Begin({}).Again());
}

}  // namespace
}  // namespace wheelwright
