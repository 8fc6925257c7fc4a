// Runs the compiler with the limits of a run, and tells how it ended.
#pragma once

#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "runtime/hip/compile/compile_cache.h"
#include "runtime/hip/compile/compile_pair.h"
#include "runtime/host/environment/host.h"

namespace wheelwright {

// Several threads may use it at once.
class CompileProcess {
 public:
  // Both are borrowed.
  CompileProcess(const CompileSettings& settings, Host& host) : settings_(settings), host_(host) {}

  // `object`: the file that the command writes; without it the compile has failed. "": it writes
  // none. `use_launcher`: whether settings.launcher may run it.
  CompileOutcome Run(const std::vector<std::string>& command, const std::string& object,
                     bool use_launcher) const;
  // The device libraries that a compile command for the target links. The compiler reads them, but
  // the lists of headers that it writes do not name them.
  const std::vector<std::string>& DeviceLibraries(const std::string& target,
                                                  std::vector<std::string> command);

 private:
  const CompileSettings& settings_;
  Host& host_;
  std::mutex mutex_;  // of libraries_
  std::map<std::string, std::vector<std::string>> libraries_;
};

}  // namespace wheelwright
