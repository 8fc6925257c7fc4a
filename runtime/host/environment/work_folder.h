// Where a command keeps what nobody needs after it.
#pragma once

#include <string>
#include <string_view>

#include "runtime/host/environment/host.h"

namespace wheelwright {

// A folder of this run alone, below RUNNER_TEMP or the system's folder for such, which nobody else
// may read. It goes with its contents when this does. Where it cannot be made, what is written into
// it says so.
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
