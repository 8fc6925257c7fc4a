// What a command of wheelrun can reach besides files and streams: its environment variables, other
// programs, the machine and the time. Tests make their own.
#pragma once

#include <chrono>
#include <functional>
#include <string>
#include <string_view>

#include "cli/command.h"
#include "cli/environment.h"
#include "runtime/host/platform/child_process.h"
#include "runtime/host/platform/machine.h"

namespace wheelwright {

struct Host : Environment {
  Variables variables;
  Processes* processes = nullptr;
  Machine machine;
  std::function<std::chrono::system_clock::time_point()> now;
  std::function<void(std::chrono::milliseconds)> sleep;  // between tries

  // A variable of the environment, or "".
  std::string Variable(std::string_view name) const;
  // Whether a runner of GitHub reads what is printed.
  bool in_actions() const { return Variable("GITHUB_ACTIONS") == "true"; }
};

// Lets a function on a Host stand in a table of commands: wheelrun runs all of them on one.
template <int (*kRun)(const Arguments&, Host&)>
int OnHost(const Arguments& arguments, Environment& environment) {
  return kRun(arguments, static_cast<Host&>(environment));
}

}  // namespace wheelwright
