// The log of a job: groups, and annotations on the page of the run.
#pragma once

#include <cstddef>
#include <ostream>
#include <string>
#include <string_view>

#include "runtime/host/environment/host.h"

namespace wheelwright {

// The place of an annotation. `file`: "" for none; paths in GITHUB_WORKSPACE are shown relative to
// it.
struct LogPlace {
  std::string file;
  std::size_t line = 0;    // from 1; 0: not known
  std::size_t column = 0;  // from 1; 0: not known
};

class Log {
 public:
  explicit Log(Host& host) : host_(host) {}

  // The stream for log text: stderr, apart from results; in a job stdout, because the runner reads
  // the two streams separately and log text must keep its order among workflow commands.
  std::ostream& stream() { return host_.in_actions() ? host_.out : host_.err; }

  // A line of text for people.
  void Say(std::string_view line);
  // Writes the result of Render(), whose untrusted text is escaped.
  void Report(std::string_view rendered);
  // Writes "error: ...", or in a job an annotation with `title`, which may be empty.
  void Error(std::string_view message, std::string_view title = {}, const LogPlace& place = {});
  void Warning(std::string_view message, std::string_view title = {}, const LogPlace& place = {});
  void Notice(std::string_view message, std::string_view title = {});

 private:
  void Annotate(std::string_view command, std::string_view word, std::string_view message,
                std::string_view title, const LogPlace& place);

  Host& host_;
};

// A titled part of the log, which the page of a run shows folded.
class LogGroup {
 public:
  LogGroup(Host& host, std::string_view title);
  ~LogGroup();
  LogGroup(const LogGroup&) = delete;
  LogGroup& operator=(const LogGroup&) = delete;

 private:
  Host& host_;
};

// Disables workflow commands for its lifetime (`::stop-commands::`), so that lines such as
// `::add-path::` in the output of other programs are plain text. A build runs code that nobody here
// has reviewed.
class CommandsDisabled {
 public:
  explicit CommandsDisabled(Host& host);
  ~CommandsDisabled();
  CommandsDisabled(const CommandsDisabled&) = delete;
  CommandsDisabled& operator=(const CommandsDisabled&) = delete;

 private:
  Host& host_;
  std::string token_;  // ends it; "": not in a job
};

}  // namespace wheelwright
