// POSIX; finding whole process trees needs Linux.
#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <mutex>
#include <set>
#include <system_error>
#include <thread>
#include <utility>

#include "base/platform/child_process.h"

namespace wheelwright {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

constexpr milliseconds kTick{1000};
// Between SIGTERM and SIGKILL. A runner kills 7.5 seconds after its first signal.
constexpr milliseconds kGrace{5000};
// How long to wait for output of background processes that outlive the program.
constexpr milliseconds kDrain{200};
// The polling interval for the end of a process that has closed its output.
constexpr milliseconds kSoon{2};

std::atomic<int> interrupted{0};

extern "C" void NoteInterrupt(int signal) { interrupted = signal; }

class Descriptor {
 public:
  Descriptor() = default;
  explicit Descriptor(int number) : number_(number) {}
  Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    std::swap(number_, other.number_);
    return *this;
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() { Close(); }

  int get() const { return number_; }
  bool open() const { return number_ >= 0; }
  void Close() {
    if (number_ >= 0) close(number_);
    number_ = -1;
  }

 private:
  int number_ = -1;
};

struct Pipe {
  Descriptor read;
  Descriptor write;

  Pipe() {
    std::array<int, 2> ends{};
    if (pipe2(ends.data(), O_CLOEXEC) != 0) {
      throw std::system_error(errno, std::generic_category(), "cannot make a pipe");
    }
    read = Descriptor(ends[0]);
    write = Descriptor(ends[1]);
  }
};

// The running children of this program, as opposed to orphans that it adopted.
class Children {
 public:
  // Records the process that `start` returns before another thread can take it for an orphan.
  template <typename Start>
  pid_t Add(const Start& start) {
    const std::lock_guard lock(mutex_);
    const pid_t child = start();
    if (child > 0) running_.insert(child);
    return child;
  }
  void Remove(pid_t child) {
    const std::lock_guard lock(mutex_);
    running_.erase(child);
  }
  bool Has(pid_t child) const {
    const std::lock_guard lock(mutex_);
    return running_.count(child) > 0;
  }

 private:
  mutable std::mutex mutex_;
  std::set<pid_t> running_;
};

Children& RunningChildren() {
  static Children children;
  return children;
}

// The parents of all processes, read from /proc; a process that ends meanwhile is left out.
std::vector<std::pair<pid_t, pid_t>> ParentsOfProcesses() {
  std::vector<std::pair<pid_t, pid_t>> parents;
  std::error_code error;
  for (std::filesystem::directory_iterator it("/proc", error), end; !error && it != end;
       it.increment(error)) {
    const std::string name = it->path().filename().string();
    if (name.find_first_not_of("0123456789") != std::string::npos) continue;
    std::ifstream file(it->path() / "stat");
    std::string text{std::istreambuf_iterator<char>(file), {}};
    // "7 (name) S 3 ...": the name may hold anything, so the last bracket counts.
    const std::size_t bracket = text.rfind(") ");
    if (bracket == std::string::npos || bracket + 4 >= text.size()) continue;
    parents.emplace_back(std::stoi(name), std::atoi(text.c_str() + bracket + 4));
  }
  return parents;
}

// A process with its descendants, orphans included.
std::vector<pid_t> TreeOf(pid_t root) {
  const auto parents = ParentsOfProcesses();
  const pid_t self = getpid();
  std::set<pid_t> tree{root};
  for (const auto& [process, parent] : parents) {
    if (parent == self && !RunningChildren().Has(process)) tree.insert(process);
  }
  for (bool grown = true; grown;) {
    grown = false;
    for (const auto& [process, parent] : parents) {
      if (tree.count(parent) > 0 && tree.insert(process).second) grown = true;
    }
  }
  return {tree.begin(), tree.end()};
}

void SignalTree(pid_t root, int signal) {
  kill(-root, signal);
  for (const pid_t process : TreeOf(root)) kill(process, signal);
}

// The data of a new process, prepared before its start: then only async-signal-safe calls are
// allowed.
class Image {
 public:
  explicit Image(const ProcessRequest& request)
      : folder_(request.folder), memory_limit_(request.memory_limit) {
    path_ = FindProgram(request.arguments.front(), request.variables);
    for (const std::string& argument : request.arguments) {
      arguments_.push_back(const_cast<char*>(argument.c_str()));
    }
    arguments_.push_back(nullptr);
    for (const auto& [name, value] : request.variables) {
      texts_.push_back(fmt::format("{}={}", name, value));
    }
    for (std::string& text : texts_) variables_.push_back(text.data());
    variables_.push_back(nullptr);
  }

  bool found() const { return !path_.empty(); }

  // Runs in the child, with these streams. Returns only on failure.
  void Become(int input, int output, int errors) {
    setpgid(0, 0);
    dup2(input, STDIN_FILENO);
    dup2(output, STDOUT_FILENO);
    dup2(errors, STDERR_FILENO);
    for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGPIPE}) std::signal(signal, SIG_DFL);
    if (!folder_.empty() && chdir(folder_.c_str()) != 0) return;
    if (memory_limit_ > 0) {
      rlimit limit{};
      if (getrlimit(RLIMIT_AS, &limit) != 0) return;
      limit.rlim_cur = std::min<rlim_t>(memory_limit_, limit.rlim_max);
      if (setrlimit(RLIMIT_AS, &limit) != 0) return;
    }
    execve(path_.c_str(), arguments_.data(), variables_.data());
  }

 private:
  std::string path_;
  std::string folder_;
  std::uint64_t memory_limit_;
  std::vector<char*> arguments_;
  std::vector<std::string> texts_;
  std::vector<char*> variables_;
};

class Running {
 public:
  explicit Running(const ProcessRequest& request) : request_(request) {}

  ProcessEnd Run() {
    started_ = Clock::now();
    ProcessEnd end;
    Image image(request_);
    if (!image.found()) {
      end.how = ProcessEnd::How::kNotStarted;
      end.reason = fmt::format("there is no program '{}'", request_.arguments.front());
      return end;
    }
    if (const int error = Start(image); error != 0) {
      end.how = ProcessEnd::How::kNotStarted;
      end.reason = fmt::format("{} cannot be started{}: {}", request_.arguments.front(),
                               request_.folder.empty() ? "" : " in " + request_.folder,
                               std::generic_category().message(error));
      return end;
    }
    Watch(end);
    RunningChildren().Remove(child_);
    end.duration = std::chrono::duration_cast<milliseconds>(Clock::now() - started_);
    return end;
  }

 private:
  // Returns the error, or 0.
  int Start(Image& image) {
    Pipe output;
    Pipe errors;
    const Descriptor nothing(open("/dev/null", O_RDONLY | O_CLOEXEC));
    const bool apart = static_cast<bool>(request_.on_error);
    volatile int error = 0;  // set by the child, which shares this memory until its execve()
    child_ = RunningChildren().Add([&] {
      // fork() would copy the page tables, which takes longer than many programs run.
      // NOLINTNEXTLINE(clang-analyzer-security.insecureAPI.vfork): posix_spawn() limits no memory
      const pid_t child = vfork();
      if (child == 0) {
        image.Become(nothing.get(), output.write.get(),
                     apart ? errors.write.get() : output.write.get());
        error = errno;
        _exit(127);
      }
      return child;
    });
    if (child_ < 0) return errno;
    if (error != 0) {
      waitpid(child_, nullptr, 0);
      RunningChildren().Remove(child_);
      return error;
    }
    output_ = std::move(output.read);
    if (apart) errors_ = std::move(errors.read);
    return 0;
  }

  void Watch(ProcessEnd& end) {
    bool asked_to_end = false;
    bool enough = false;
    Clock::time_point end_by;
    Clock::time_point next_tick = started_ + kTick;
    for (;;) {
      Pump(std::chrono::milliseconds(50));
      const Clock::time_point now = Clock::now();
      if (Reap(end)) break;
      if (asked_to_end) {
        if (now >= end_by) SignalTree(child_, SIGKILL);
      } else if (interrupted != 0 || enough ||
                 (request_.limit.count() > 0 && now - started_ >= request_.limit)) {
        end.how = interrupted != 0 ? ProcessEnd::How::kInterrupted : ProcessEnd::How::kTimedOut;
        SignalTree(child_, SIGTERM);
        asked_to_end = true;
        end_by = now + kGrace;
      }
      if (now >= next_tick) {
        if (request_.on_tick) request_.on_tick();
        if (request_.enough) enough = request_.enough();
        next_tick = now + kTick;
      }
    }
    // Kill descendants that are left. Otherwise leave them alone: one may be a background server of
    // a compiler cache.
    if (asked_to_end) SignalTree(child_, SIGKILL);
    const Clock::time_point drained_by = Clock::now() + kDrain;
    while ((output_.open() || errors_.open()) && Clock::now() < drained_by) {
      Pump(std::chrono::milliseconds(20));
    }
  }

  bool Reap(ProcessEnd& end) {
    int status = 0;
    rusage usage{};
    const pid_t got = wait4(child_, &status, WNOHANG, &usage);
    if (got == 0 || (got < 0 && errno == EINTR)) return false;
    constexpr std::uint64_t kKilobyte = 1024;
    end.peak_memory = static_cast<std::uint64_t>(usage.ru_maxrss) * kKilobyte;
    if (WIFSIGNALED(status)) {
      end.status = 128 + WTERMSIG(status);
      if (end.how == ProcessEnd::How::kExited) end.how = ProcessEnd::How::kSignalled;
    } else {
      end.status = WEXITSTATUS(status);
    }
    return true;
  }

  // Passes on available output, after waiting for it at most this long.
  void Pump(milliseconds wait) {
    std::array<pollfd, 2> watched{};
    nfds_t count = 0;
    for (Descriptor* stream : {&output_, &errors_}) {
      if (stream->open()) watched[count++] = {.fd = stream->get(), .events = POLLIN, .revents = 0};
    }
    if (count == 0) {
      std::this_thread::sleep_for(std::min(wait, kSoon));
      return;
    }
    if (poll(watched.data(), count, static_cast<int>(wait.count())) <= 0) return;
    for (nfds_t i = 0; i < count; ++i) {
      if (watched[i].revents == 0) continue;
      const bool is_output = output_.open() && watched[i].fd == output_.get();
      Descriptor& stream = is_output ? output_ : errors_;
      const auto& sink = is_output ? request_.on_output : request_.on_error;
      const ssize_t got = read(stream.get(), buffer_.data(), buffer_.size());
      if (got > 0) {
        if (sink) sink({buffer_.data(), static_cast<std::size_t>(got)});
      } else if (got == 0 || errno != EINTR) {
        stream.Close();
      }
    }
  }

  const ProcessRequest& request_;
  Clock::time_point started_;
  pid_t child_ = 0;
  Descriptor output_;
  Descriptor errors_;
  std::array<char, 1 << 16> buffer_{};
};

class System : public Processes {
 public:
  System() {
    // This program adopts orphans, so that it can find and kill them.
    prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
  }
  ProcessEnd Run(const ProcessRequest& request) override { return Running(request).Run(); }
};

bool CanBeRun(const std::string& path) {
  std::error_code error;
  return std::filesystem::is_regular_file(path, error) && access(path.c_str(), X_OK) == 0;
}

}  // namespace

bool VariableOrder::operator()(std::string_view one, std::string_view other) const {
  return one < other;
}

Processes& RealProcesses() {
  static System system;
  return system;
}

void EndProcessesWhenInterrupted() {
  struct sigaction action{};
  action.sa_handler = NoteInterrupt;
  sigemptyset(&action.sa_mask);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) sigaction(signal, &action, nullptr);
}

int InterruptedBy() { return interrupted; }

void EndByInterrupt() {
  std::signal(interrupted, SIG_DFL);
  raise(interrupted);
  _exit(128 + interrupted);
}

std::string FindProgram(std::string_view name, const Variables& variables) {
  const std::string text(name);
  if (name.find('/') != std::string_view::npos) return CanBeRun(text) ? text : std::string();
  const auto path = variables.find("PATH");
  if (path == variables.end() || name.empty()) return {};
  for (std::string_view left = path->second;;) {
    const std::size_t end = left.find(':');
    const std::string_view folder = left.substr(0, end);
    std::string candidate = fmt::format("{}/{}", folder.empty() ? "." : folder, name);
    if (CanBeRun(candidate)) return candidate;
    if (end == std::string_view::npos) return {};
    left.remove_prefix(end + 1);
  }
}

}  // namespace wheelwright
