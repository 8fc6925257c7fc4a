// Runs other programs, if installed, for what they print.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace wheelwright {

struct Printed {
  std::string out;
  std::string errors;  // at most some kilobytes
  bool good = false;   // exit status 0
};

// What a program on the PATH prints, with an empty stdin. Nothing if it cannot be started.
// `variables`: NAME=VALUE in addition to those of this process, or NAME, which is left out.
std::optional<Printed> RunProgram(const std::vector<std::string>& words,
                                  const std::vector<std::string>& variables = {});

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
