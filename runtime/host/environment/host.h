// What a command of wheelrun can reach besides files and streams: its environment variables, other
// programs, the machine and the time. Tests make their own.
#pragma once

#include <chrono>
#include <functional>
#include <string>
#include <string_view>

#include "cli/environment.h"
#include "runtime/host/platform/child_process.h"
#include "runtime/host/platform/machine.h"

namespace wheelwright {

struct Host : Environment {
  Variables variables;
  Processes* processes = nullptr;
  Machine machine;
  std::function<std::chrono::system_clock::time_point()> now;
  std::function<void(std::chrono::milliseconds)> sleep;  // ends early when a signal comes

  // A variable of the environment, or "".
  std::string Variable(std::string_view name) const;
  // Whether a runner of GitHub reads what is printed.
  bool in_actions() const { return Variable("GITHUB_ACTIONS") == "true"; }
};

// The path from the root of the file system, without "." and "..".
std::string AbsolutePath(std::string_view path, const Host& host);

}  // namespace wheelwright
