// A fake Host that records files, output and program calls.
#pragma once

#include <deque>
#include <functional>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "runtime/host/environment/host.h"
#include "tests/unit/memory_file_system.h"

namespace wheelwright {

// A fake program runner: gives prepared results in order, and then success.
class ScriptedProcesses : public Processes {
 public:
  struct Answer {
    ProcessEnd end;
    std::string output = {};
    std::string errors = {};
  };
  std::deque<Answer> answers;
  std::vector<ProcessRequest> requests;

  static ProcessEnd Exit(int status) { return {.how = ProcessEnd::How::kExited, .status = status}; }

  ProcessEnd Run(const ProcessRequest& request) override {
    requests.push_back(request);
    if (answers.empty()) return Exit(0);
    const Answer answer = answers.front();
    answers.pop_front();
    if (request.on_output) request.on_output(answer.output);
    if (request.on_error) {
      request.on_error(answer.errors);
    } else if (request.on_output) {
      request.on_output(answer.errors);
    }
    return answer.end;
  }
};

struct TestHost {
  MemoryFileSystem files;
  std::istringstream in;
  std::ostringstream out;
  std::ostringstream err;
  ScriptedProcesses processes;
  std::vector<std::chrono::milliseconds> waits;  // before retries
  Host host{
      {.files = files, .in = in, .out = out, .err = err, .folder = "/src"},
      {},
      &processes,
      {.cores = 2, .memory = 8ULL << 30},
      [] { return std::chrono::system_clock::time_point(); },
      [this](std::chrono::milliseconds time) { waits.push_back(time); },
  };

  // Sets the environment of a GitHub job, with its files in /job.
  void InJob() {
    host.variables["GITHUB_ACTIONS"] = "true";
    host.variables["GITHUB_OUTPUT"] = "/job/output";
    host.variables["GITHUB_ENV"] = "/job/env";
    host.variables["GITHUB_PATH"] = "/job/path";
    host.variables["GITHUB_STEP_SUMMARY"] = "/job/summary";
  }
};

}  // namespace wheelwright
