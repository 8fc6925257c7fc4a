// Runs other programs, when they are installed.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace wheelwright {

// What a program of the PATH prints, with its standard input and errors closed. Nothing where it
// cannot be started.
std::optional<std::string> RunProgram(const std::vector<std::string>& words);

// A new folder for files of this run; removed with all in it at the end.
class TemporaryFolder {
 public:
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  // Empty: none could be made.
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

}  // namespace wheelwright
