#include "runtime/store/storage/transfer_meter.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <ostream>

#include "runtime/host/actions/log.h"
#include "runtime/host/programs/runner.h"

namespace wheelwright {
namespace {

constexpr std::chrono::milliseconds kOnTerminal{250};
constexpr std::chrono::seconds kInLog{10};
constexpr std::string_view kClear = "\r\x1b[K";

}  // namespace

TransferMeter::TransferMeter(Host& host, std::string_view verb, std::uint64_t bytes,
                             std::size_t files)
    : host_(host),
      verb_(verb),
      bytes_(bytes),
      files_(files),
      terminal_(host.err_is_terminal && !host.in_actions()),
      thread_([this] { Run(); }) {}

TransferMeter::~TransferMeter() {
  {
    const std::lock_guard hold(mutex_);
    ended_ = true;
  }
  ended_change_.notify_all();
  thread_.join();
  if (terminal_) host_.err << kClear << std::flush;
}

std::chrono::milliseconds TransferMeter::elapsed() const {
  return std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::steady_clock::now() -
                                                               started_);
}

void TransferMeter::Run() {
  std::unique_lock hold(mutex_);
  while (!ended_change_.wait_for(hold, terminal_ ? kOnTerminal : kInLog, [&] { return ended_; })) {
    if (terminal_) {
      host_.err << kClear << Line() << std::flush;
    } else {
      Log(host_).Say(Line());
    }
  }
}

std::string TransferMeter::Line() const {
  const std::uint64_t done = std::min(done_.load(), bytes_);
  const std::chrono::milliseconds time = elapsed();
  std::string left;
  if (done > 0 && done < bytes_) {
    const double share = static_cast<double>(bytes_ - done) / static_cast<double>(done);
    const auto rest =
        std::chrono::seconds(std::llround(share * static_cast<double>(time.count()) / 1000));
    // An estimate needs no tenths of a second.
    if (rest.count() >= 60) {
      left = fmt::format(", {} left", DurationText(rest));
    } else if (rest.count() >= 1) {
      left = fmt::format(", {} s left", rest.count());
    }
  }
  return fmt::format("{} {} of {} ({} of {} files), {}{}", verb_, SizeText(done), SizeText(bytes_),
                     files_done_.load(), files_, Rate(done, time), left);
}

std::string SizeText(std::uint64_t bytes) {
  constexpr std::array<std::string_view, 5> kUnits = {"B", "kB", "MB", "GB", "TB"};
  std::size_t unit = 0;
  auto number = static_cast<double>(bytes);
  // 1000.0 after rounding is 1.0 of the next unit.
  for (; number >= 999.95 && unit + 1 < kUnits.size(); ++unit) number /= 1000;
  return unit == 0 ? fmt::format("{} B", bytes) : fmt::format("{:.1f} {}", number, kUnits[unit]);
}

std::string Rate(std::uint64_t bytes, std::chrono::milliseconds time) {
  const auto milliseconds = static_cast<std::uint64_t>(std::max<std::int64_t>(time.count(), 1));
  return SizeText(bytes * 1000 / milliseconds) + "/s";
}

}  // namespace wheelwright
