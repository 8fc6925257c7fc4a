// A temporary folder for a command.
#pragma once

#include <string>
#include <string_view>

#include "runtime/host/environment/host.h"

namespace wheelwright {

// A new folder below RUNNER_TEMP or the system's temporary folder, which only this user may read.
// The destructor deletes it with its contents. If it cannot be made, writing into it fails.
class WorkFolder {
 public:
  WorkFolder(const Host& host, std::string_view purpose);
  WorkFolder(const WorkFolder&) = delete;
  WorkFolder& operator=(const WorkFolder&) = delete;
  ~WorkFolder();

  const std::string& path() const { return path_; }  // absolute

 private:
  std::string path_;
};

}  // namespace wheelwright
