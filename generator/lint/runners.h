// GitHub's hosted runners by label, with end dates and sources.
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
  std::string_view end;           // the day from which its jobs fail: "2027-04-17"; empty: unknown
  bool over = false;              // that day is before the date of this table
  int announcement = 0;           // the announcement, an issue of actions/runner-images
  std::string_view instead = {};  // the replacement
};

// https://github.com/actions/runner-images, README.md of 2026-08-21 with the announcements up to
// 2026-11-20. Larger runners have labels chosen by organizations and are not listed.
std::span<const HostedRunner> HostedRunners();
const HostedRunner* FindHostedRunner(std::string_view label);

// The meaning of the default labels of self-hosted runners: "linux", "x64".
// https://docs.github.com/actions/how-tos/manage-runners/self-hosted-runners/use-in-a-workflow
RunnerSystem SystemOfPreset(std::string_view label);
RunnerMachine MachineOfPreset(std::string_view label);
bool IsPreset(std::string_view label);

}  // namespace wheelwright
