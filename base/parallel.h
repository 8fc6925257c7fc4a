// Runs independent pieces of work on all cores.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <exception>
#include <thread>
#include <vector>

namespace wheelwright {

// Calls work(i) once for each i below `count`, on up to `threads` threads. Which thread takes which
// piece is not determined, so a piece must write only to its own slot. The first exception is
// thrown again here.
template <typename Work>
void ParallelFor(std::size_t count, std::size_t threads, const Work& work) {
  if (threads <= 1 || count <= 1) {
    for (std::size_t i = 0; i < count; ++i) work(i);
    return;
  }
  std::atomic<std::size_t> next{0};
  std::atomic<bool> failed{false};
  std::exception_ptr failure;
  const auto run = [&] {
    try {
      for (std::size_t i = next++; i < count && !failed; i = next++) work(i);
    } catch (...) {
      if (!failed.exchange(true)) failure = std::current_exception();
    }
  };
  std::vector<std::jthread> helpers;
  for (std::size_t i = 1; i < threads && i < count; ++i) helpers.emplace_back(run);
  run();
  helpers.clear();  // joins
  if (failure) std::rethrow_exception(failure);
}

// `threads`, or the number of cores where that is less: for work that only computes.
inline std::size_t Cores(std::size_t threads) {
  return std::min<std::size_t>(threads, std::max(1U, std::thread::hardware_concurrency()));
}

// ParallelFor() in blocks, for many small pieces that only compute.
template <typename Work>
void ParallelForBlocks(std::size_t count, std::size_t threads, const Work& work) {
  constexpr std::size_t kBlock = 256;
  ParallelFor((count + kBlock - 1) / kBlock, Cores(threads), [&](std::size_t block) {
    const std::size_t end = std::min(count, (block + 1) * kBlock);
    for (std::size_t i = block * kBlock; i < end; ++i) work(i);
  });
}

}  // namespace wheelwright
