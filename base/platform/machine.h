// The part of the machine that the job may use.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>

#include "base/platform/child_process.h"

namespace wheelwright {

struct Machine {
  std::size_t cores = 1;     // limited by the affinity mask and the control group
  std::uint64_t memory = 0;  // bytes, limited by the control group; 0: unknown
  bool windows = false;
};

Machine ThisMachine();

// The environment of this process.
Variables OwnVariables();

// The separator of the entries of PATH.
char PathListSeparator();

}  // namespace wheelwright
