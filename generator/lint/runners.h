// GitHub's own runners by their labels: data, with dates and where they are from.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace wheelwright {

enum class RunnerSystem : std::uint8_t { kUnknown, kLinux, kMacos, kWindows };
enum class RunnerMachine : std::uint8_t { kUnknown, kX64, kArm64 };

std::string_view NameOf(RunnerSystem system);

struct HostedRunner {
  std::string_view label;
  RunnerSystem system = RunnerSystem::kUnknown;
  RunnerMachine machine = RunnerMachine::kUnknown;
  std::string_view end;  // the day from which on its jobs fail: "2027-04-17"; empty: none is known
  bool over = false;     // that day is before that of this table
  int announcement = 0;  // issue of actions/runner-images that says so
  std::string_view instead = {};  // the label that comes next
};

// https://github.com/actions/runner-images, README.md of 2026-08-21 with the announcements up to
// 2026-11-20. Labels of larger runners are what an organization calls them, and are not here.
std::span<const HostedRunner> HostedRunners();
const HostedRunner* FindHostedRunner(std::string_view label);

// What a label that a self-hosted runner has by itself says: "linux", "x64".
// https://docs.github.com/actions/how-tos/manage-runners/self-hosted-runners/use-in-a-workflow
RunnerSystem SystemOfPreset(std::string_view label);
RunnerMachine MachineOfPreset(std::string_view label);
bool IsPreset(std::string_view label);

}  // namespace wheelwright
