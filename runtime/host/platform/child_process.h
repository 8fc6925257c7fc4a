// Programs that are run: argument vectors, never a shell. This folder is the only one that knows
// the operating system.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace wheelwright {

using Variables = std::map<std::string, std::string, std::less<>>;

struct ProcessRequest {
  // The program, looked up on the PATH of `variables` unless it has a slash, and its arguments.
  std::vector<std::string> arguments;
  std::string folder;   // where it runs; "": here
  Variables variables;  // its whole environment
  // It is ended after this long, with all that it started. 0: never.
  std::chrono::milliseconds limit{0};
  // Bytes that each process in it may map. Past them the system refuses it memory, which programs
  // answer in their own way. 0: as many as there are.
  std::uint64_t memory_limit = 0;
  // Get the output in pieces as it comes. Without `on_error`, what it writes to stderr goes to
  // `on_output` too, in the order in which it was written. It reads nothing.
  std::function<void(std::string_view piece)> on_output;
  std::function<void(std::string_view piece)> on_error;
  // Called about once a second while it runs; may be empty.
  std::function<void()> on_tick;
  // Asked about once a second; true ends it as its limit would. May be empty.
  std::function<bool()> enough;
};

struct ProcessEnd {
  enum class How : std::uint8_t {
    kExited,
    kSignalled,    // by somebody else: `status` is 128 + the signal, as shells have it
    kTimedOut,     // ended here after the limit
    kInterrupted,  // ended here because this program was told to end
    kNotStarted,   // `reason` says why
  };

  How how = How::kExited;
  int status = 0;
  std::string reason;
  std::chrono::milliseconds duration{0};
  std::uint64_t peak_memory = 0;  // bytes of the largest process in it

  bool good() const { return how == How::kExited && status == 0; }
};

// The door to other programs, so that tests can answer in their place.
class Processes {
 public:
  virtual ~Processes() = default;
  // Runs one program to its end. Safe to call from several threads.
  virtual ProcessEnd Run(const ProcessRequest& request) = 0;
};

Processes& RealProcesses();

// For output that is an answer. No program says so much that it would be one; all refs of a large
// repository are some 20 MB.
inline constexpr std::size_t kMostAnswer = std::size_t{64} << 20;
// Appends a piece as far as `out` has no more than `most` bytes then.
inline void AppendUpTo(std::size_t most, std::string_view piece, std::string& out) {
  out.append(piece.substr(0, most - std::min(most, out.size())));
}

// From now on SIGINT, SIGTERM and SIGHUP end the running programs, with all that they started, and
// then this one, instead of this one alone. A runner sends them when a job is cancelled.
void EndProcessesWhenInterrupted();
// The signal that came, or 0.
int InterruptedBy();
// Sleeps, but not past such a signal.
void SleepUnlessInterrupted(std::chrono::milliseconds time);
// Ends this program as that signal would have.
[[noreturn]] void EndByInterrupt();

// The path of a program: `name` itself if it has a slash and can be run, or the first of its name
// on the PATH; "" when there is none.
std::string FindProgram(std::string_view name, const Variables& variables);

}  // namespace wheelwright
