#include "runtime/hip/compile/pair_scheduler.h"

#include <algorithm>
#include <thread>

#include "base/platform/child_process.h"

namespace wheelwright {

PairScheduler::PairScheduler(const CompileSettings& settings, std::vector<Pair>& pairs,
                             const Report& report)
    : settings_(settings), pairs_(pairs), report_(report), open_(settings.sources.size(), 0) {}

void PairScheduler::End(const Pair& pair) {
  if (InterruptedBy() != 0 || (!settings_.keep_going && !pair.good())) stop_ = true;
  report_(pair, ++ended_);
}

void PairScheduler::Finish(std::size_t index) { End(pairs_[index]); }

void PairScheduler::Add(std::size_t index, CompileCache::Effort effort) {
  ++open_[pairs_[index].source];
  waiting_.push_back({index, effort});
}

void PairScheduler::AddHost(std::size_t source) {
  std::optional<std::size_t> host;
  for (std::size_t i = 0; i < pairs_.size(); ++i) {
    if (pairs_[i].source != source) continue;
    if (pairs_[i].is_host()) {
      host = i;
    } else if (!pairs_[i].good()) {
      return;
    }
  }
  if (host) waiting_.insert(waiting_.begin(), {*host, CompileCache::kUnknownEffort});
}

void PairScheduler::Work(const Compile& compile) {
  std::unique_lock lock(mutex_);
  for (;;) {
    auto next = waiting_.end();
    changed_.wait(lock, [&] {
      next = std::ranges::find_if(waiting_, [&](const Job& job) {
        return running_ == 0 || settings_.memory == 0 ||
               memory_ + job.effort.memory <= settings_.memory;
      });
      return stop_ || next != waiting_.end() || running_ == 0;
    });
    if (stop_ || next == waiting_.end()) return;
    const Job job = *next;
    waiting_.erase(next);
    ++running_;
    memory_ += job.effort.memory;
    Pair pair = pairs_[job.pair];
    lock.unlock();

    // A host object reads the pairs of its source, all of which have ended.
    compile(pair, job.pair);

    lock.lock();
    --running_;
    memory_ -= job.effort.memory;
    pairs_[job.pair] = pair;
    if (!pair.is_host() && --open_[pair.source] == 0) AddHost(pair.source);
    End(pair);
    changed_.notify_all();
  }
}

void PairScheduler::Run(const Compile& compile) {
  // Sources whose results all came from the cache.
  for (std::size_t source = 0; source < open_.size(); ++source) {
    if (open_[source] == 0) AddHost(source);
  }
  std::ranges::stable_sort(waiting_, std::greater(),
                           [](const Job& job) { return job.effort.duration; });
  const std::size_t count = std::min(settings_.jobs, std::max<std::size_t>(pairs_.size(), 1));
  std::vector<std::jthread> workers;
  for (std::size_t i = 1; i < count; ++i) workers.emplace_back([&] { Work(compile); });
  Work(compile);
}

}  // namespace wheelwright
