// Shows the progress of a transfer: a status line on a terminal, a line every ten seconds in a log.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>

#include "runtime/host/environment/host.h"

namespace wheelwright {

class TransferMeter {
 public:
  // `verb` begins the lines: "uploaded".
  TransferMeter(Host& host, std::string_view verb, std::uint64_t bytes, std::size_t files);
  TransferMeter(const TransferMeter&) = delete;
  TransferMeter& operator=(const TransferMeter&) = delete;
  // Clears the line on the terminal.
  ~TransferMeter();

  // Safe to call from several threads, as is FileDone().
  void Add(std::uint64_t bytes) { done_ += bytes; }
  void FileDone() { ++files_done_; }

  std::chrono::milliseconds elapsed() const;

 private:
  void Run();
  std::string Line() const;

  Host& host_;
  std::string verb_;
  std::uint64_t bytes_;
  std::size_t files_;
  bool terminal_;
  std::atomic<std::uint64_t> done_{0};
  std::atomic<std::size_t> files_done_{0};
  std::chrono::steady_clock::time_point started_ = std::chrono::steady_clock::now();
  std::mutex mutex_;
  std::condition_variable ended_change_;
  bool ended_ = false;
  std::jthread thread_;
};

// "12 B", "3.4 MB", "2.1 GB"; powers of ten, as the pages of package indexes count.
std::string SizeText(std::uint64_t bytes);
// "85 MB/s".
std::string Rate(std::uint64_t bytes, std::chrono::milliseconds time);

}  // namespace wheelwright
