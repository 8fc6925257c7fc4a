// The machine that a job has: as much of it as the job may use.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>

#include "runtime/host/platform/child_process.h"

namespace wheelwright {

struct Machine {
  std::size_t cores = 1;     // what the affinity mask and the control group leave
  std::uint64_t memory = 0;  // bytes, what the control group leaves; 0: not known
  bool windows = false;
};

Machine ThisMachine();

// The environment of this process.
Variables OwnVariables();

bool IsTerminal(int stream);
// What stands between the entries of PATH.
char PathListSeparator();

}  // namespace wheelwright
