// The files through which a step sets outputs, variables, the PATH and the job summary.
// https://docs.github.com/actions/reference/workflow-commands-for-github-actions#environment-files
#pragma once

#include <string>
#include <string_view>

#include "runtime/host/environment/host.h"

namespace wheelwright {

// The maximum length of a summary in bytes: https://docs.github.com/actions, "Step isolation and
// limits".
inline constexpr std::size_t kLongestSummary = 1024 * 1024;

// Outside of a job, where the environment names no such files, prints the text instead: outputs and
// variables as NAME=VALUE, for scripts. All functions throw FileError when a file cannot be
// written.
class JobFiles {
 public:
  explicit JobFiles(Host& host) : host_(host) {}

  // `name` is made of letters, digits, `_` and `-`. The value may hold anything: it is ended by a
  // random delimiter that it does not contain.
  void SetOutput(std::string_view name, std::string_view value);
  // Sets a variable for later steps, not for this process.
  void SetVariable(std::string_view name, std::string_view value);
  // Puts a folder first on the PATH of later steps.
  void AddPath(std::string_view folder);
  // Appends Markdown to the summary. Cuts off the end of a text that is too long.
  void AddSummary(std::string_view markdown);
  // Makes the runner mask each line of a secret in the log from now on.
  void Mask(std::string_view secret);

 private:
  void SetPair(std::string_view file_variable, std::string_view name, std::string_view value);

  Host& host_;
  std::size_t summary_ = 0;  // bytes written
};

}  // namespace wheelwright
