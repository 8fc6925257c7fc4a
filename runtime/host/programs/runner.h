// Runs the programs of a step with readable logs.
#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "runtime/host/actions/log.h"
#include "runtime/host/environment/host.h"
#include "runtime/host/environment/retry.h"

namespace wheelwright {

// One program to run.
struct Step {
  std::string title;                   // "build torch"; the headline of its group in the log
  std::vector<std::string> arguments;  // [0] is the program
  // Shown after the arguments in a dry run, in place of files that only a real run has:
  // "dist/*.whl".
  std::string pattern = {};
  std::string folder;                                          // where; "": here
  std::vector<std::pair<std::string, std::string>> variables;  // added to the environment
  std::vector<std::string> unset;                              // taken out of it
  std::chrono::seconds limit{0};                               // 0: none
  // Called about once a second by Run(); true ends the program, without an error.
  std::function<bool()> enough = {};
  // The number of tries, for programs that use the network. Waits between tries as
  // runtime/host/environment/retry.h does.
  int tries = 1;
  // Shows the output only on failure.
  bool quiet = false;
};

class Runner {
 public:
  // With `dry_run`, prints the commands for a POSIX shell and does not run them.
  Runner(Host& host, bool dry_run) : host_(host), log_(host), dry_run_(dry_run) {}

  // Runs it and shows its output in a group of the log. On failure reports the error that
  // FailureScan finds as an annotation, and returns false.
  bool Run(const Step& step);

  // Runs it and returns its stdout. On failure shows its stderr, reports the error and returns
  // nothing. With `dry_run` returns `placeholder`.
  std::optional<std::string> Ask(const Step& step, std::string_view placeholder = {});

  // The same, but a failure is not reported.
  std::optional<std::string> Try(const Step& step);

  bool dry_run() const { return dry_run_; }
  Log& log() { return log_; }
  Host& host() { return host_; }

 private:
  ProcessRequest RequestOf(const Step& step) const;
  void PrintCommand(const Step& step);
  // Logs and waits before the next try. False when there is none.
  bool Again(Retry& retry, const Step& step, const ProcessEnd& end);

  Host& host_;
  Log log_;
  bool dry_run_;
};

// The text, quoted for a POSIX shell.
std::string ShellWord(std::string_view text);
// "2 min 3 s", "850 ms".
std::string DurationText(std::chrono::milliseconds duration);

}  // namespace wheelwright
