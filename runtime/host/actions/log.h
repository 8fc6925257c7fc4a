// The log of a job: groups that fold, and annotations that stand on the page of the run.
#pragma once

#include <cstddef>
#include <ostream>
#include <string>
#include <string_view>

#include "runtime/host/environment/host.h"

namespace wheelwright {

// Where an annotation points. `file` is relative to the repository; "": nowhere.
struct LogPlace {
  std::string file;
  std::size_t line = 0;    // from 1; 0: not known
  std::size_t column = 0;  // from 1; 0: not known
};

class Log {
 public:
  explicit Log(Host& host) : host_(host) {}

  // Where what people read goes: to stderr, apart from results; in a job to stdout, because there
  // the order among orders to the runner counts and it reads the two streams apart.
  std::ostream& stream() { return host_.in_actions() ? host_.out : host_.err; }

  // A line of text for people.
  void Say(std::string_view line);
  // What Render() made, in a job for the runner: its foreign text is escaped.
  void Report(std::string_view rendered);
  // "error: ..." for people, and an annotation in a job. `title` is its headline, and may be empty.
  void Error(std::string_view message, std::string_view title = {}, const LogPlace& place = {});
  void Warning(std::string_view message, std::string_view title = {}, const LogPlace& place = {});
  void Notice(std::string_view message, std::string_view title = {});

 private:
  void Annotate(std::string_view command, std::string_view word, std::string_view message,
                std::string_view title, const LogPlace& place);

  Host& host_;
};

// A part of the log with a headline. In a job it folds.
class LogGroup {
 public:
  LogGroup(Host& host, std::string_view title);
  ~LogGroup();
  LogGroup(const LogGroup&) = delete;
  LogGroup& operator=(const LogGroup&) = delete;

 private:
  Host& host_;
};

// While it lives, what other programs print cannot give the runner orders: lines such as
// `::add-path::` are text. A build runs code that nobody here has reviewed.
class Muzzle {
 public:
  explicit Muzzle(Host& host);
  ~Muzzle();
  Muzzle(const Muzzle&) = delete;
  Muzzle& operator=(const Muzzle&) = delete;

 private:
  Host& host_;
  std::string token_;  // ends it; "": not in a job
};

}  // namespace wheelwright
