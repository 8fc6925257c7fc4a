// Runs the programs of a step, so that people can follow what happens and find what went wrong.
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
  // Behind them where the command is only printed: files that only the run has, as a shell names
  // them, "dist/*.whl".
  std::string pattern = {};
  std::string folder;                                          // where; "": here
  std::vector<std::pair<std::string, std::string>> variables;  // added to the environment
  std::vector<std::string> unset;                              // taken out of it
  std::chrono::seconds limit{0};                               // 0: none
  // Asked about once a second; true ends it, and that is no failure. For Run().
  std::function<bool()> enough = {};
  // Of what uses a network: how often it is tried. Between tries it waits, longer each time, with
  // jitter so that jobs that failed together do not come again together.
  int tries = 1;
  // Nobody wants to read it while it is right: shown only when it fails.
  bool quiet = false;
};

class Runner {
 public:
  // With `dry_run`, commands are printed as one could type them in a shell, and not run.
  Runner(Host& host, bool dry_run) : host_(host), log_(host), dry_run_(dry_run) {}

  // Runs it and shows its output, in a group of its own. On failure the first real error is
  // repeated at the end, as an annotation at its place. False: it failed, which was said.
  bool Run(const Step& step);

  // Runs it and gives what it wrote to stdout; what it wrote to stderr is shown when it fails. With
  // `dry_run` it gives `placeholder`. Nothing: it failed, which was said.
  std::optional<std::string> Ask(const Step& step, std::string_view placeholder = {});

  // The same, where failing is an answer too: nothing is said about it.
  std::optional<std::string> Try(const Step& step);

  bool dry_run() const { return dry_run_; }
  Log& log() { return log_; }
  Host& host() { return host_; }

 private:
  ProcessRequest RequestOf(const Step& step) const;
  void PrintCommand(const Step& step);
  // Waits before the next try, if there is one, and says so.
  bool Again(Retry& retry, const Step& step, const ProcessEnd& end);

  Host& host_;
  Log log_;
  bool dry_run_;
};

// The text as a word of a POSIX shell.
std::string ShellWord(std::string_view text);
// "2 min 3 s", "850 ms".
std::string Spoken(std::chrono::milliseconds duration);

}  // namespace wheelwright
