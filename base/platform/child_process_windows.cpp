// Each program runs in a job of Windows, by which it is ended with all that it started.
#include <fmt/format.h>

#include <array>
#include <atomic>
#include <csignal>
#include <filesystem>
#include <optional>
#include <system_error>
#include <utility>

#include "base/platform/child_process.h"
#include "base/platform/command_line.h"
#include "base/platform/files.h"
#include "base/platform/find_program_windows.h"
#include "base/platform/windows.h"
// After it.
#include <psapi.h>

namespace wheelwright {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

constexpr milliseconds kTick{1000};
// Between asking processes to end and ending them. A runner gives 7.5 seconds after its first
// signal.
constexpr milliseconds kGrace{5000};
// How long output is awaited that a process in the background could still write.
constexpr milliseconds kDrain{200};
// What a process says that was ended by Ctrl-C.
constexpr UINT kEndedByControl = 0xC000013A;

std::atomic<int> interrupted{0};

BOOL WINAPI NoteControl(DWORD event) {
  interrupted = event == CTRL_C_EVENT ? SIGINT : SIGTERM;
  // The console that is closed ends this program when this returns, or five seconds later.
  if (event == CTRL_CLOSE_EVENT) Sleep(INFINITE);
  return TRUE;
}

class Handle {
 public:
  Handle() = default;
  explicit Handle(HANDLE handle) : handle_(handle == INVALID_HANDLE_VALUE ? nullptr : handle) {}
  Handle(Handle&& other) noexcept : handle_(std::exchange(other.handle_, nullptr)) {}
  Handle& operator=(Handle&& other) noexcept {
    std::swap(handle_, other.handle_);
    return *this;
  }
  Handle(const Handle&) = delete;
  Handle& operator=(const Handle&) = delete;
  ~Handle() { Close(); }

  HANDLE get() const { return handle_; }
  bool open() const { return handle_ != nullptr; }
  void Close() {
    if (open()) CloseHandle(std::exchange(handle_, nullptr));
  }

 private:
  HANDLE handle_ = nullptr;
};

SECURITY_ATTRIBUTES Inheritable() {
  return {.nLength = sizeof(SECURITY_ATTRIBUTES),
          .lpSecurityDescriptor = nullptr,
          .bInheritHandle = TRUE};
}

// A pipe that one can wait for together with other things, which those without a name do not allow.
class OutputPipe {
 public:
  OutputPipe() {
    static std::atomic<unsigned> made{0};
    const std::wstring name =
        WideOf(fmt::format(R"(\\.\pipe\wheelwright-{}-{})", GetCurrentProcessId(), made++));
    read_ = Handle(CreateNamedPipeW(
        name.c_str(), PIPE_ACCESS_INBOUND | FILE_FLAG_OVERLAPPED | FILE_FLAG_FIRST_PIPE_INSTANCE,
        PIPE_TYPE_BYTE | PIPE_READMODE_BYTE | PIPE_WAIT | PIPE_REJECT_REMOTE_CLIENTS, 1, 0, kBuffer,
        0, nullptr));
    SECURITY_ATTRIBUTES inheritable = Inheritable();
    write_ = Handle(
        CreateFileW(name.c_str(), GENERIC_WRITE, 0, &inheritable, OPEN_EXISTING, 0, nullptr));
    event_ = Handle(CreateEventW(nullptr, TRUE, FALSE, nullptr));
    if (!read_.open() || !write_.open() || !event_.open()) {
      throw std::system_error(LastError(), "cannot make a pipe");
    }
  }
  OutputPipe(const OutputPipe&) = delete;
  OutputPipe& operator=(const OutputPipe&) = delete;
  ~OutputPipe() { Stop(); }

  HANDLE write() const { return write_.get(); }
  // Once the other program has it.
  void CloseWrite() { write_.Close(); }
  bool open() const { return read_.open(); }

  // What to wait for; it is set when there is something to Take().
  HANDLE event() const { return event_.get(); }
  // Begins to read unless that goes on already.
  void Begin() {
    if (!open() || pending_) return;
    wait_ = OVERLAPPED{};
    wait_.hEvent = event_.get();
    ResetEvent(event_.get());
    if (ReadFile(read_.get(), buffer_.data(), kBuffer, nullptr, &wait_) != 0 ||
        GetLastError() == ERROR_IO_PENDING) {
      pending_ = true;
    } else {
      read_.Close();  // its other end is closed
    }
  }
  // What has been read so far; valid until the next Begin().
  std::string_view Take() {
    DWORD got = 0;
    if (!pending_) return {};
    if (GetOverlappedResult(read_.get(), &wait_, &got, FALSE) == 0) {
      if (GetLastError() == ERROR_IO_INCOMPLETE) return {};
      pending_ = false;
      read_.Close();
      return {};
    }
    pending_ = false;
    return {buffer_.data(), got};
  }

 private:
  static constexpr DWORD kBuffer = 1 << 16;

  void Stop() {
    if (!pending_) return;
    CancelIo(read_.get());
    DWORD got = 0;
    GetOverlappedResult(read_.get(), &wait_, &got, TRUE);  // the buffer is in use until then
    pending_ = false;
  }

  Handle read_;
  Handle write_;
  Handle event_;
  OVERLAPPED wait_{};
  bool pending_ = false;
  std::array<char, kBuffer> buffer_{};
};

std::wstring BlockOf(const Variables& variables) {
  std::wstring block;
  for (const auto& [name, value] : variables) {
    block += WideOf(name) + L'=' + WideOf(value) + L'\0';
  }
  if (block.empty()) block += L'\0';
  return block + L'\0';
}

// Nothing, with the reason, when it cannot be told to Windows.
std::optional<std::wstring> LineOf(const ProcessRequest& request, const std::string& path,
                                   std::string& problem) {
  std::vector<std::string> arguments = request.arguments;
  const bool batch = IsBatchFile(path);
  std::optional<std::string> line;
  if (batch) {
    arguments.erase(arguments.begin());
    std::string file = path;
    for (char& c : file) c = c == '/' ? '\\' : c;
    line = BatchLineOf(CommandShell(request.variables), file, arguments);
  } else {
    line = CommandLineOf(arguments);
  }
  if (!line) {
    problem = fmt::format("{} is a batch file, which takes no argument of several lines", path);
    return std::nullopt;
  }
  std::wstring wide = WideOf(*line);
  const std::size_t most = batch ? kLongestShellLine : kLongestCommandLine;
  if (wide.size() + 1 > most) {
    problem = fmt::format(
        "its command line has {} characters, and Windows takes {}: hand it fewer files at once, or "
        "their names in a file",
        wide.size(), most - 1);
    return std::nullopt;
  }
  return wide;
}

// The attributes by which a program inherits what is meant for it, and not what is meant for others
// that are started at the same time.
class Inherited {
 public:
  explicit Inherited(std::vector<HANDLE> handles) : handles_(std::move(handles)) {
    SIZE_T size = 0;
    InitializeProcThreadAttributeList(nullptr, 1, 0, &size);
    memory_.resize(size);
    InitializeProcThreadAttributeList(get(), 1, 0, &size);
    UpdateProcThreadAttribute(get(), 0, PROC_THREAD_ATTRIBUTE_HANDLE_LIST, handles_.data(),
                              handles_.size() * sizeof(HANDLE), nullptr, nullptr);
  }
  Inherited(const Inherited&) = delete;
  Inherited& operator=(const Inherited&) = delete;
  ~Inherited() { DeleteProcThreadAttributeList(get()); }

  LPPROC_THREAD_ATTRIBUTE_LIST get() {
    return reinterpret_cast<LPPROC_THREAD_ATTRIBUTE_LIST>(memory_.data());
  }

 private:
  std::vector<HANDLE> handles_;
  std::vector<std::byte> memory_;
};

class Running {
 public:
  explicit Running(const ProcessRequest& request) : request_(request) {}

  ProcessEnd Run() {
    started_ = Clock::now();
    ProcessEnd end;
    end.reason = Start();
    if (!end.reason.empty()) {
      end.how = ProcessEnd::How::kNotStarted;
      return end;
    }
    Watch(end);
    end.duration = std::chrono::duration_cast<milliseconds>(Clock::now() - started_);
    return end;
  }

 private:
  bool apart() const { return static_cast<bool>(request_.on_error); }

  // Gives the reason why it cannot be started, or "".
  std::string Start() {
    const std::string& name = request_.arguments.front();
    const std::string path = FindProgram(name, request_.variables);
    if (path.empty()) return fmt::format("there is no program '{}'", name);
    std::string problem;
    std::optional<std::wstring> line = LineOf(request_, path, problem);
    if (!line) return fmt::format("{} cannot be started: {}", name, problem);
    const std::wstring program =
        WideOf(IsBatchFile(path) ? CommandShell(request_.variables) : path);
    const std::wstring folder = SystemPath(request_.folder).native();
    std::wstring block = BlockOf(request_.variables);

    SECURITY_ATTRIBUTES inheritable = Inheritable();
    const Handle nothing(CreateFileW(L"NUL", GENERIC_READ, FILE_SHARE_READ | FILE_SHARE_WRITE,
                                     &inheritable, OPEN_EXISTING, 0, nullptr));
    std::vector<HANDLE> handles{nothing.get(), output_.write()};
    if (apart()) handles.push_back(errors_.write());
    Inherited inherited(handles);
    STARTUPINFOEXW how{};
    how.StartupInfo.cb = sizeof how;
    how.StartupInfo.dwFlags = STARTF_USESTDHANDLES;
    how.StartupInfo.hStdInput = nothing.get();
    how.StartupInfo.hStdOutput = output_.write();
    how.StartupInfo.hStdError = apart() ? errors_.write() : output_.write();
    how.lpAttributeList = inherited.get();

    job_ = Handle(CreateJobObjectW(nullptr, nullptr));
    Limit(JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE);  // should this program be ended
    PROCESS_INFORMATION made{};
    const BOOL started = CreateProcessW(
        program.c_str(), line->data(), nullptr, nullptr, TRUE,
        CREATE_SUSPENDED | CREATE_NEW_PROCESS_GROUP | CREATE_UNICODE_ENVIRONMENT |
            EXTENDED_STARTUPINFO_PRESENT,
        block.data(), request_.folder.empty() ? nullptr : folder.c_str(), &how.StartupInfo, &made);
    if (started == 0) {
      return fmt::format("{} cannot be started{}: {}", name,
                         request_.folder.empty() ? "" : " in " + request_.folder,
                         LastError().message());
    }
    process_ = Handle(made.hProcess);
    const Handle thread(made.hThread);
    group_ = made.dwProcessId;
    AssignProcessToJobObject(job_.get(), process_.get());
    ResumeThread(thread.get());
    output_.CloseWrite();
    errors_.CloseWrite();
    return {};
  }

  void Limit(DWORD flags) {
    JOBOBJECT_EXTENDED_LIMIT_INFORMATION limits{};
    limits.BasicLimitInformation.LimitFlags = flags;
    if (request_.memory_limit > 0) {
      limits.BasicLimitInformation.LimitFlags |= JOB_OBJECT_LIMIT_PROCESS_MEMORY;
      limits.ProcessMemoryLimit = request_.memory_limit;
    }
    SetInformationJobObject(job_.get(), JobObjectExtendedLimitInformation, &limits, sizeof limits);
  }

  void Watch(ProcessEnd& end) {
    bool asked_to_end = false;
    bool enough = false;
    Clock::time_point end_by;
    Clock::time_point next_tick = started_ + kTick;
    while (!Pump(milliseconds(50), true)) {
      const Clock::time_point now = Clock::now();
      if (asked_to_end) {
        if (now >= end_by) TerminateJobObject(job_.get(), kEndedByControl);
      } else if (interrupted != 0 || enough ||
                 (request_.limit.count() > 0 && now - started_ >= request_.limit)) {
        end.how = interrupted != 0 ? ProcessEnd::How::kInterrupted : ProcessEnd::How::kTimedOut;
        asked_to_end = true;
        // Without a console nobody can be asked.
        const bool told = GenerateConsoleCtrlEvent(CTRL_BREAK_EVENT, group_) != 0;
        end_by = told ? now + kGrace : now;
      }
      if (now >= next_tick) {
        if (request_.on_tick) request_.on_tick();
        if (request_.enough) enough = request_.enough();
        next_tick = now + kTick;
      }
    }
    DWORD status = 0;
    GetExitCodeProcess(process_.get(), &status);
    end.status = static_cast<int>(status);
    end.peak_memory = PeakMemory();
    // What outlived its parent in vain. Without a reason to end it, a server in the background that
    // a compiler cache started is left alone.
    if (asked_to_end) {
      TerminateJobObject(job_.get(), kEndedByControl);
    } else {
      Limit(0);
    }
    const Clock::time_point drained_by = Clock::now() + kDrain;
    while ((output_.open() || (apart() && errors_.open())) && Clock::now() < drained_by) {
      Pump(milliseconds(20), false);
    }
  }

  std::uint64_t PeakMemory() const {
    JOBOBJECT_EXTENDED_LIMIT_INFORMATION used{};
    QueryInformationJobObject(job_.get(), JobObjectExtendedLimitInformation, &used, sizeof used,
                              nullptr);
    PROCESS_MEMORY_COUNTERS own{};
    GetProcessMemoryInfo(process_.get(), &own, sizeof own);
    return std::max<std::uint64_t>(used.PeakProcessMemoryUsed, own.PeakWorkingSetSize);
  }

  // Passes on what there is, after waiting for it that long at most. True: the process has ended.
  bool Pump(milliseconds wait, bool for_end) {
    std::array<HANDLE, 3> awaited{};
    DWORD count = 0;
    for (OutputPipe* pipe : {&output_, &errors_}) {
      if (pipe == &errors_ && !apart()) continue;
      pipe->Begin();
      if (pipe->open()) awaited[count++] = pipe->event();
    }
    if (for_end) awaited[count++] = process_.get();
    if (count == 0) return false;
    WaitForMultipleObjects(count, awaited.data(), FALSE, static_cast<DWORD>(wait.count()));
    if (const std::string_view piece = output_.Take(); !piece.empty() && request_.on_output) {
      request_.on_output(piece);
    }
    if (const std::string_view piece = errors_.Take(); !piece.empty() && apart()) {
      request_.on_error(piece);
    }
    return for_end && WaitForSingleObject(process_.get(), 0) == WAIT_OBJECT_0;
  }

  const ProcessRequest& request_;
  Clock::time_point started_;
  OutputPipe output_;
  OutputPipe errors_;
  Handle job_;
  Handle process_;
  DWORD group_ = 0;
};

class System : public Processes {
 public:
  ProcessEnd Run(const ProcessRequest& request) override { return Running(request).Run(); }
};

}  // namespace

Processes& RealProcesses() {
  static System system;
  return system;
}

void EndProcessesWhenInterrupted() { SetConsoleCtrlHandler(NoteControl, TRUE); }

int InterruptedBy() { return interrupted; }

void EndByInterrupt() { ExitProcess(kEndedByControl); }

}  // namespace wheelwright
