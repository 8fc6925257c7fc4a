#include <algorithm>
#include <bit>
#include <thread>

#include "base/platform/machine.h"
#include "base/platform/windows.h"

namespace wheelwright {
namespace {

std::size_t AllowedCores() {
  DWORD_PTR own = 0;
  DWORD_PTR all = 0;
  // 0 where the process runs in more than one group of 64 processors.
  if (GetProcessAffinityMask(GetCurrentProcess(), &own, &all) != 0 && own != 0) {
    return static_cast<std::size_t>(std::popcount(own));
  }
  return std::max(1U, std::thread::hardware_concurrency());
}

std::uint64_t AllowedMemory() {
  MEMORYSTATUSEX status{};
  status.dwLength = sizeof status;
  std::uint64_t memory = GlobalMemoryStatusEx(&status) != 0 ? status.ullTotalPhys : 0;
  JOBOBJECT_EXTENDED_LIMIT_INFORMATION limits{};
  if (QueryInformationJobObject(nullptr, JobObjectExtendedLimitInformation, &limits, sizeof limits,
                                nullptr) != 0 &&
      (limits.BasicLimitInformation.LimitFlags & JOB_OBJECT_LIMIT_JOB_MEMORY) != 0) {
    memory = std::min<std::uint64_t>(memory, limits.JobMemoryLimit);
  }
  return memory;
}

}  // namespace

Machine ThisMachine() {
  return {.cores = AllowedCores(), .memory = AllowedMemory(), .windows = true};
}

Variables OwnVariables() {
  Variables variables;
  LPWCH const block = GetEnvironmentStringsW();
  for (const wchar_t* entry = block; entry != nullptr && *entry != 0;) {
    const std::wstring_view text = entry;
    // Of "=C:=C:\folder", which is the current folder of a drive, the name begins with a '='.
    const std::size_t equals = text.find(L'=', 1);
    if (equals != std::wstring_view::npos) {
      variables.emplace(Utf8Of(text.substr(0, equals)), Utf8Of(text.substr(equals + 1)));
    }
    entry += text.size() + 1;
  }
  FreeEnvironmentStringsW(block);
  return variables;
}

char PathListSeparator() { return ';'; }

}  // namespace wheelwright
