// Decides which pair is compiled next: the longest first, as many at once as memory allows, and the
// host object of a source once all of its pairs for GPUs are good.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <mutex>
#include <vector>

#include "runtime/hip/compile/compile_cache.h"
#include "runtime/hip/compile/compile_pair.h"

namespace wheelwright {

class PairScheduler {
 public:
  // Compiles a pair; several calls run at once.
  using Compile = std::function<void(Pair& pair, std::size_t index)>;
  // Called after each pair that ended, one call at a time. `ended` counts them.
  using Report = std::function<void(const Pair& pair, std::size_t ended)>;

  // All are borrowed.
  PairScheduler(const CompileSettings& settings, std::vector<Pair>& pairs, const Report& report);

  // For each pair for a GPU, before Run(): it has its result already, or it has to be compiled,
  // which probably takes that effort.
  void Finish(std::size_t index);
  void Add(std::size_t index, CompileCache::Effort effort);

  // Compiles what was added, and host objects. Returns when all ended, on an interrupt, or after
  // the first failure unless settings.keep_going; what was running then has ended too.
  void Run(const Compile& compile);

 private:
  struct Job {
    std::size_t pair;
    CompileCache::Effort effort;
  };

  void Work(const Compile& compile);
  void End(const Pair& pair);
  // Adds the host object of a source, if it has one and all of its pairs for GPUs are good.
  void AddHost(std::size_t source);

  const CompileSettings& settings_;
  std::vector<Pair>& pairs_;
  const Report& report_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<Job> waiting_;
  std::vector<std::size_t> open_;  // pairs for GPUs of each source that have not ended
  std::size_t running_ = 0;
  std::uint64_t memory_ = 0;  // bytes that running compiles probably take
  std::size_t ended_ = 0;
  bool stop_ = false;
};

}  // namespace wheelwright
