#include "runtime/host/programs/runner.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <ostream>

#include "base/characters.h"
#include "base/text.h"
#include "runtime/host/programs/failure_scan.h"

namespace wheelwright {
namespace {

using Clock = std::chrono::steady_clock;

// After this time without output, the log says that the program still runs.
constexpr std::chrono::seconds kSilence{60};
// The default limit of Try().
constexpr std::chrono::seconds kLongestAnswer{60};

RetryPolicy PolicyOf(const Step& step) {
  return {.tries = step.tries,
          .first = std::chrono::seconds(4),
          .longest = std::chrono::seconds(60),
          .least = 0.5};
}

std::string CommandText(const Step& step) {
  std::string text;
  if (!step.folder.empty()) text += fmt::format("cd {} && ", ShellWord(step.folder));
  if (!step.variables.empty() || !step.unset.empty()) text += "env ";
  for (const std::string& name : step.unset) text += fmt::format("-u {} ", name);
  for (const auto& [name, value] : step.variables) {
    text += fmt::format("{}={} ", name, ShellWord(WithoutPassword(value)));
  }
  std::vector<std::string> words;
  for (const std::string& argument : step.arguments) {
    words.push_back(ShellWord(WithoutPassword(argument)));
  }
  if (!step.pattern.empty()) words.push_back(step.pattern);
  return text + fmt::format("{}", fmt::join(words, " "));
}

std::string HowItEnded(const ProcessEnd& end, const Step& step) {
  switch (end.how) {
    case ProcessEnd::How::kExited:
      // What Windows itself ended has a number of its own, of which people know the hexadecimal
      // form.
      return end.status < 0
                 ? fmt::format("exit status 0x{:08X}", static_cast<std::uint32_t>(end.status))
                 : fmt::format("exit status {}", end.status);
    case ProcessEnd::How::kSignalled:
      return end.status == 128 + 9 ? std::string("killed: the machine may have run out of memory")
                                   : fmt::format("ended by signal {}", end.status - 128);
    case ProcessEnd::How::kTimedOut:
      return fmt::format("ended after its limit of {}", DurationText(step.limit));
    case ProcessEnd::How::kInterrupted:
      return "cancelled";
    case ProcessEnd::How::kNotStarted:
      break;  // there is no end to tell of
  }
  return {};
}

// Shows output as it comes, with a status line on a terminal and a regular "still running" line in
// a log.
class Show {
 public:
  Show(Host& host, const Step& step)
      : host_(host), stream_(Log(host).stream()), title_(step.title), quiet_(step.quiet) {}

  void Piece(std::string_view piece) {
    scan_.Feed(piece);
    last_output_ = Clock::now();
    if (quiet_) return;
    ClearStatus();
    stream_ << piece;
    stream_.flush();
    at_line_start_ = piece.ends_with('\n');
  }

  void Tick() {
    const Clock::time_point now = Clock::now();
    const std::string so_far =
        DurationText(std::chrono::duration_cast<std::chrono::seconds>(now - started_));
    if (host_.err_is_terminal && !host_.in_actions()) {
      if (!at_line_start_) return;  // a status line would tear the output's own line
      ClearStatus();
      stream_ << fmt::format("\x1b[2m{} | {} | {}\x1b[0m", title_, so_far,
                             Shorten(Printable(scan_.last_line()), 60));
      stream_.flush();
      status_shown_ = true;
    } else if (now - last_output_ >= kSilence && now - last_sign_ >= kSilence) {
      last_sign_ = now;
      Log(host_).Say(fmt::format("... {}: {} so far, last line: {}", title_, so_far,
                                 Shorten(scan_.last_line(), 200)));
    }
  }

  void ClearStatus() {
    if (!status_shown_) return;
    stream_ << "\r\x1b[K";
    status_shown_ = false;
  }

  const FailureScan& scan() const { return scan_; }

 private:
  Host& host_;
  std::ostream& stream_;
  const std::string& title_;
  const bool quiet_;
  FailureScan scan_;
  Clock::time_point started_ = Clock::now();
  Clock::time_point last_output_ = started_;
  Clock::time_point last_sign_ = started_;
  bool at_line_start_ = true;
  bool status_shown_ = false;
};

void TellFailure(Host& host, const Step& step, const ProcessEnd& end, const FailureScan& scan) {
  Log log(host);
  if (end.how == ProcessEnd::How::kNotStarted) {
    log.Error(end.reason, fmt::format("{} failed", step.title));
    return;
  }
  const std::string headline = fmt::format("{} failed after {} ({})", step.title,
                                           DurationText(end.duration), HowItEnded(end, step));
  const std::optional<ToolError> failure =
      end.how == ProcessEnd::How::kInterrupted ? std::nullopt : scan.Found();
  if (failure) {
    log.Say("the first error was:");
    for (const std::string& line : failure->lines) log.Say("  " + line);
    log.Error(failure->message, headline,
              {.file = failure->file, .line = failure->line, .column = failure->column});
    return;
  }
  if (step.quiet) {
    for (const std::string& line : scan.Tail()) log.Say("  " + line);
  }
  log.Error(scan.last_line().empty() ? "it printed nothing" : scan.last_line(), headline);
}

}  // namespace

ProcessRequest Runner::RequestOf(const Step& step) const {
  ProcessRequest request{.arguments = step.arguments,
                         .folder = step.folder,
                         .variables = host_.variables,
                         .limit = step.limit};
  for (const std::string& name : step.unset) request.variables.erase(name);
  for (const auto& [name, value] : step.variables) request.variables[name] = value;
  return request;
}

void Runner::PrintCommand(const Step& step) {
  if (dry_run_) {
    host_.out << CommandText(step) << '\n';
  } else {
    log_.Say("+ " + CommandText(step));
  }
}

bool Runner::Again(Retry& retry, const Step& step, const ProcessEnd& end) {
  // A retry helps neither a missing program nor a cancelled job.
  if (end.how != ProcessEnd::How::kExited && end.how != ProcessEnd::How::kTimedOut) return false;
  const auto wait = retry.Next();
  if (!wait) return false;
  log_.Warning(fmt::format("{} failed; trying again in {} (try {} of {})", step.title,
                           DurationText(*wait), retry.tried() + 1, step.tries));
  return retry.Begin(*wait);
}

bool Runner::Run(const Step& step) {
  if (dry_run_) {
    PrintCommand(step);
    return true;
  }
  for (Retry retry(PolicyOf(step), host_);;) {
    ProcessEnd end;
    bool seen_enough = false;
    Show show(host_, step);
    {
      std::unique_ptr<LogGroup> group;
      if (!step.quiet) {
        group = std::make_unique<LogGroup>(host_, step.title);
        PrintCommand(step);
      }
      const CommandsDisabled disabled(host_);
      ProcessRequest request = RequestOf(step);
      request.on_output = [&](std::string_view piece) { show.Piece(piece); };
      request.on_tick = [&] { show.Tick(); };
      if (step.enough) request.enough = [&] { return seen_enough = step.enough(); };
      end = host_.processes->Run(request);
      show.ClearStatus();
    }
    if (end.good() || (seen_enough && end.how == ProcessEnd::How::kTimedOut)) return true;
    if (Again(retry, step, end)) continue;
    TellFailure(host_, step, end, show.scan());
    return false;
  }
}

std::optional<std::string> Runner::Ask(const Step& step, std::string_view placeholder) {
  if (dry_run_) {
    PrintCommand(step);
    return std::string(placeholder);
  }
  for (Retry retry(PolicyOf(step), host_);;) {
    std::string output;
    FailureScan scan;
    ProcessRequest request = RequestOf(step);
    request.on_output = [&](std::string_view piece) { AppendUpTo(kMostAnswer, piece, output); };
    request.enough = [&] { return output.size() >= kMostAnswer; };
    request.on_error = [&](std::string_view piece) { scan.Feed(piece); };
    const ProcessEnd end = host_.processes->Run(request);
    scan.Feed("\n");
    if (output.size() >= kMostAnswer) {
      log_.Error(fmt::format("it prints more than {} bytes", WithThousands(kMostAnswer)),
                 fmt::format("{} failed", step.title));
      return std::nullopt;
    }
    if (end.good()) return output;
    if (Again(retry, step, end)) continue;
    Step quiet = step;
    quiet.quiet = true;
    TellFailure(host_, quiet, end, scan);
    return std::nullopt;
  }
}

std::optional<std::string> Runner::Try(const Step& step) {
  std::string output;
  ProcessRequest request = RequestOf(step);
  if (request.limit.count() == 0) request.limit = kLongestAnswer;
  request.on_output = [&](std::string_view piece) { AppendUpTo(kMostAnswer, piece, output); };
  request.enough = [&] { return output.size() >= kMostAnswer; };
  request.on_error = [](std::string_view) {};
  const bool good = host_.processes->Run(request).good() && output.size() < kMostAnswer;
  return good ? std::optional(output) : std::nullopt;
}

std::string ShellWord(std::string_view text) {
  const bool plain = !text.empty() && std::ranges::all_of(text, [](char c) {
    return IsLetterOrDigit(c) || std::string_view("_-./:=+,@%").find(c) != std::string_view::npos;
  });
  if (plain) return std::string(text);
  std::string word = "'";
  for (const char c : text) word += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return word + "'";
}

std::string DurationText(std::chrono::milliseconds duration) {
  const auto total = duration.count();
  if (total < 1000) return fmt::format("{} ms", total);
  if (total < 60'000) return fmt::format("{:.1f} s", static_cast<double>(total) / 1000);
  const auto minutes = total / 60'000;
  if (minutes < 60) return fmt::format("{} min {} s", minutes, total % 60'000 / 1000);
  return fmt::format("{} h {} min", minutes / 60, minutes % 60);
}

}  // namespace wheelwright
