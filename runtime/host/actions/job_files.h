// The files by which a step speaks to the rest of its job: outputs, variables, the PATH and the
// summary.
// https://docs.github.com/actions/reference/workflow-commands-for-github-actions#environment-files
#pragma once

#include <string>
#include <string_view>

#include "runtime/host/environment/host.h"

namespace wheelwright {

// A summary may be this long: https://docs.github.com/actions, "Step isolation and limits".
inline constexpr std::size_t kLongestSummary = 1024 * 1024;

// Outside of a job, where a file is not named, what would be written is printed: outputs and
// variables as NAME=VALUE, which scripts can read. All throw FileError when a file cannot be
// written.
class JobFiles {
 public:
  explicit JobFiles(Host& host) : host_(host) {}

  // `name` is made of letters, digits, `_` and `-`. The value may hold anything: it cannot end its
  // own entry early, because the line that ends it is drawn by lot and does not occur in it.
  void SetOutput(std::string_view name, std::string_view value);
  // For the steps that follow; this process does not see it.
  void SetVariable(std::string_view name, std::string_view value);
  // In front of the PATH of the steps that follow.
  void AddPath(std::string_view folder);
  // Markdown, below what the step has written so far. Of a text that is too long, the end is left
  // out.
  void AddSummary(std::string_view markdown);
  // Keeps a secret out of the log from now on, line by line.
  void Mask(std::string_view secret);

 private:
  void SetPair(std::string_view file_variable, std::string_view name, std::string_view value);

  Host& host_;
  std::size_t summary_ = 0;  // bytes written
};

}  // namespace wheelwright
