// Runs other programs, if installed.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace wheelwright {

// The stdout of a program on the PATH, with stdin and stderr closed. Nothing if it cannot be
// started.
std::optional<std::string> RunProgram(const std::vector<std::string>& words);

// A temporary folder; the destructor removes it with its contents.
class TemporaryFolder {
 public:
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  // "" if it could not be made.
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

}  // namespace wheelwright
