// Runs programs from argument vectors, never through a shell.
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

// By name; on Windows case makes no difference in names.
struct VariableOrder {
  using is_transparent = void;  // NOLINT(readability-identifier-naming): std::map's word
  bool operator()(std::string_view one, std::string_view other) const;
};
using Variables = std::map<std::string, std::string, VariableOrder>;

struct ProcessRequest {
  // The program, as FindProgram() finds it with `variables`, and its arguments. More than the
  // system takes is an error that says how much that is.
  std::vector<std::string> arguments;
  std::string folder;   // where it runs; "": here
  Variables variables;  // its whole environment
  // After this time it and its child processes are killed. 0: no limit.
  std::chrono::milliseconds limit{0};
  // Address space of each of its processes in bytes; allocations beyond it fail. 0: no limit.
  std::uint64_t memory_limit = 0;
  // Called with pieces of the output. Without `on_error`, `on_output` gets stderr too, in the order
  // of writing. Its stdin is empty.
  std::function<void(std::string_view piece)> on_output;
  std::function<void(std::string_view piece)> on_error;
  // Called about once a second; may be empty.
  std::function<void()> on_tick;
  // Called about once a second; true kills it as the limit would. May be empty.
  std::function<bool()> enough;
};

struct ProcessEnd {
  enum class How : std::uint8_t {
    kExited,
    kSignalled,    // by somebody else: `status` is 128 + the signal, as shells have it; not on
                   // Windows, where the status tells: 0xC0000005, as a negative number
    kTimedOut,     // killed after the limit
    kInterrupted,  // killed because this program got a signal to end
    kNotStarted,   // `reason` says why
  };

  How how = How::kExited;
  int status = 0;
  std::string reason;
  std::chrono::milliseconds duration{0};
  std::uint64_t peak_memory = 0;  // bytes of the largest process in it

  bool good() const { return how == How::kExited && status == 0; }
};

// The interface to other programs; tests replace it.
class Processes {
 public:
  virtual ~Processes() = default;
  // Runs one program to its end. Safe to call from several threads.
  virtual ProcessEnd Run(const ProcessRequest& request) = 0;
};

Processes& RealProcesses();

// The most output that is kept as an answer, in bytes. All refs of a large repository are some 20
// MB.
inline constexpr std::size_t kMostAnswer = std::size_t{64} << 20;
// Appends a piece, but only until `out` has `most` bytes.
inline void AppendUpTo(std::size_t most, std::string_view piece, std::string& out) {
  out.append(piece.substr(0, most - std::min(most, out.size())));
}

// From now on SIGINT, SIGTERM and SIGHUP, on Windows Ctrl-C, Ctrl-Break and closing the console,
// end the running programs with their child processes, then this program. A runner sends them when
// a job is cancelled.
void EndProcessesWhenInterrupted();
// The signal that came, or 0.
int InterruptedBy();
// Sleeps until the time is over or such a signal comes.
void SleepUnlessInterrupted(std::chrono::milliseconds time);
// Ends this program by that signal.
[[noreturn]] void EndByInterrupt();

// The path of a program: `name` itself if it has a slash and can be run, or the first of its name
// on the PATH; "" when there is none. On Windows also with each of the ends that PATHEXT names.
std::string FindProgram(std::string_view name, const Variables& variables);

}  // namespace wheelwright
