#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <string_view>
#include <thread>

#include "base/platform/machine.h"

extern char** environ;  // NOLINT(readability-redundant-declaration): POSIX has it in no header

namespace wheelwright {
namespace {

// The first word of a control group's file; "" when there is none or it says "max".
std::string ControlGroupWord(const std::string& path) {
  std::ifstream file(path);
  std::string word;
  file >> word;
  return word == "max" ? std::string() : word;
}

std::size_t AllowedCores() {
  cpu_set_t mask;
  CPU_ZERO(&mask);
  const std::size_t all = std::max(1U, std::thread::hardware_concurrency());
  std::size_t cores = all;
  if (sched_getaffinity(0, sizeof mask, &mask) == 0) {
    cores = static_cast<std::size_t>(std::max(1, CPU_COUNT(&mask)));
  }
  // "200000 100000": usable microseconds of each period.
  std::ifstream file("/sys/fs/cgroup/cpu.max");
  std::string quota;
  double period = 0;
  if (file >> quota >> period && quota != "max" && period > 0) {
    const double share = std::ceil(std::stod(quota) / period);
    cores = std::min(cores, static_cast<std::size_t>(std::max(1.0, share)));
  }
  return cores;
}

std::uint64_t AllowedMemory() {
  const long pages = sysconf(_SC_PHYS_PAGES);
  const long page = sysconf(_SC_PAGESIZE);
  std::uint64_t memory = pages > 0 && page > 0
                             ? static_cast<std::uint64_t>(pages) * static_cast<std::uint64_t>(page)
                             : 0;
  for (const char* path :
       {"/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"}) {
    const std::string limit = ControlGroupWord(path);
    if (limit.empty() || limit.find_first_not_of("0123456789") != std::string::npos) continue;
    memory = std::min(memory, static_cast<std::uint64_t>(std::stoull(limit)));
  }
  return memory;
}

}  // namespace

Machine ThisMachine() { return {.cores = AllowedCores(), .memory = AllowedMemory()}; }

Variables OwnVariables() {
  Variables variables;
  for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry) {
    const std::string_view text = *entry;
    const std::size_t equals = text.find('=');
    if (equals != std::string_view::npos) {
      variables.emplace(text.substr(0, equals), text.substr(equals + 1));
    }
  }
  return variables;
}

char PathListSeparator() { return ':'; }

}  // namespace wheelwright
