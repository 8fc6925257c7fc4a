// Pairs are compiled in a good order, within memory, and host objects behind what they embed.
#include "runtime/hip/compile/pair_scheduler.h"

#include <atomic>
#include <catch2/catch.hpp>
#include <string>
#include <thread>

namespace wheelwright {
namespace {

using std::chrono::milliseconds;

struct Bench {
  CompileSettings settings;
  std::vector<Pair> pairs;
  std::string order;  // indices as they were compiled
  std::vector<std::size_t> ended;
  PairStatus result = PairStatus::kPass;

  // Two sources, each for two GPUs and the host.
  Bench() {
    settings.sources.resize(2);
    for (std::size_t source : {0, 1}) {
      for (const char* target : {"gfx1100", "gfx942", "host"}) {
        pairs.push_back({.source = source, .target = target});
      }
    }
  }

  void Run(const std::vector<std::size_t>& finished = {}) {
    const PairScheduler::Report report = [&](const Pair&, std::size_t count) {
      ended.push_back(count);
    };
    PairScheduler scheduler(settings, pairs, report);
    for (std::size_t i = 0; i < pairs.size(); ++i) {
      if (pairs[i].is_host()) continue;
      if (std::ranges::find(finished, i) != finished.end()) {
        scheduler.Finish(i);
      } else {
        scheduler.Add(i, {milliseconds(i), 100});
      }
    }
    scheduler.Run([&](Pair& pair, std::size_t index) {
      order += std::to_string(index);
      pair.status = result;
    });
  }
};

TEST_CASE("the longest pair is first, and a host object follows its source", "[hip][schedule]") {
  Bench bench;
  bench.Run();
  CHECK(bench.order == "435102");
  CHECK(bench.ended == std::vector<std::size_t>{1, 2, 3, 4, 5, 6});
}

TEST_CASE("a host object is compiled when its source came from the cache", "[hip][schedule]") {
  Bench bench;
  bench.pairs[0].status = bench.pairs[1].status = PairStatus::kExpectedFail;
  bench.Run({0, 1});
  CHECK(bench.order == "2435");
}

TEST_CASE("there is no host object of a source that failed", "[hip][schedule]") {
  Bench bench;
  bench.result = PairStatus::kFail;
  bench.Run();
  CHECK(bench.order == "4310");
  CHECK(bench.pairs[2].status == PairStatus::kNotRun);
}

TEST_CASE("without keep_going the first failure is the last compile", "[hip][schedule]") {
  Bench bench;
  bench.settings.keep_going = false;
  bench.result = PairStatus::kHang;
  bench.Run();
  CHECK(bench.order == "4");
  Bench cached;
  cached.settings.keep_going = false;
  cached.pairs[0].status = PairStatus::kFail;
  cached.Run({0});
  CHECK(cached.order.empty());
}

TEST_CASE("compiles run at once as far as memory allows", "[hip][schedule]") {
  for (const std::uint64_t memory : {std::uint64_t{0}, std::uint64_t{250}, std::uint64_t{50}}) {
    Bench bench;
    bench.settings.jobs = 4;
    bench.settings.memory = memory;
    std::erase_if(bench.pairs, [](const Pair& pair) { return pair.is_host(); });
    std::atomic<int> running = 0, most = 0;
    const PairScheduler::Report report = [](const Pair&, std::size_t) {};
    PairScheduler scheduler(bench.settings, bench.pairs, report);
    for (std::size_t i = 0; i < 4; ++i) scheduler.Add(i, {milliseconds(1), 100});
    scheduler.Run([&](Pair& pair, std::size_t) {
      const int now = ++running;
      for (int seen = most; seen < now && !most.compare_exchange_weak(seen, now);) {
      }
      std::this_thread::sleep_for(milliseconds(20));
      pair.status = PairStatus::kPass;
      --running;
    });
    // What needs more than there is runs alone.
    CHECK(most <= (memory == 0 ? 4 : memory == 250 ? 2 : 1));
    CHECK(std::ranges::all_of(bench.pairs, &Pair::good));
  }
}

}  // namespace
}  // namespace wheelwright
