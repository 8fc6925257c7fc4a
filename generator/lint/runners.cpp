#include "generator/lint/runners.h"

#include <array>

#include "base/text.h"

namespace wheelwright {
namespace {

constexpr RunnerSystem kLinux = RunnerSystem::kLinux;
constexpr RunnerSystem kMacos = RunnerSystem::kMacos;
constexpr RunnerSystem kWindows = RunnerSystem::kWindows;
constexpr RunnerMachine kX64 = RunnerMachine::kX64;
constexpr RunnerMachine kArm64 = RunnerMachine::kArm64;

constexpr std::array kHosted{
    HostedRunner{"ubuntu-latest", kLinux, kX64, ""},
    HostedRunner{"ubuntu-slim", kLinux, kX64, ""},
    HostedRunner{"ubuntu-26.04", kLinux, kX64, ""},
    HostedRunner{"ubuntu-26.04-arm", kLinux, kArm64, ""},
    HostedRunner{"ubuntu-24.04", kLinux, kX64, ""},
    HostedRunner{"ubuntu-24.04-arm", kLinux, kArm64, ""},
    HostedRunner{"ubuntu-22.04", kLinux, kX64, "2027-04-17", false, 14254, "ubuntu-24.04"},
    HostedRunner{"ubuntu-22.04-arm", kLinux, kArm64, "2027-04-17", false, 14254,
                 "ubuntu-24.04-arm"},
    HostedRunner{"ubuntu-20.04", kLinux, kX64, "2025-04-15", true, 11101, "ubuntu-24.04"},
    HostedRunner{"ubuntu-18.04", kLinux, kX64, "2023-04-01", true, 6002, "ubuntu-24.04"},
    HostedRunner{"ubuntu-16.04", kLinux, kX64, "2021-09-20", true, 3287, "ubuntu-24.04"},
    HostedRunner{"macos-latest", kMacos, kArm64, ""},
    HostedRunner{"macos-latest-large", kMacos, kX64, ""},
    HostedRunner{"macos-latest-xlarge", kMacos, kArm64, ""},
    HostedRunner{"macos-26", kMacos, kArm64, ""},
    HostedRunner{"macos-26-intel", kMacos, kX64, ""},
    HostedRunner{"macos-26-large", kMacos, kX64, ""},
    HostedRunner{"macos-26-xlarge", kMacos, kArm64, ""},
    HostedRunner{"macos-15", kMacos, kArm64, ""},
    HostedRunner{"macos-15-intel", kMacos, kX64, ""},
    HostedRunner{"macos-15-large", kMacos, kX64, ""},
    HostedRunner{"macos-15-xlarge", kMacos, kArm64, ""},
    HostedRunner{"xcode-27", kMacos, kArm64, ""},
    HostedRunner{"xcode-27-xlarge", kMacos, kArm64, ""},
    HostedRunner{"macos-14", kMacos, kArm64, "2026-11-02", true, 13518, "macos-15"},
    HostedRunner{"macos-14-large", kMacos, kX64, "2026-11-02", true, 13518, "macos-15-large"},
    HostedRunner{"macos-14-xlarge", kMacos, kArm64, "2026-11-02", true, 13518, "macos-15-xlarge"},
    HostedRunner{"macos-13", kMacos, kX64, "2025-12-08", true, 13046, "macos-15-intel"},
    HostedRunner{"macos-13-large", kMacos, kX64, "2025-12-08", true, 13046, "macos-15-large"},
    HostedRunner{"macos-13-xlarge", kMacos, kArm64, "2025-12-08", true, 13046, "macos-15-xlarge"},
    HostedRunner{"macos-12", kMacos, kX64, "2024-12-03", true, 10721, "macos-15-intel"},
    HostedRunner{"macos-12-large", kMacos, kX64, "2024-12-03", true, 10721, "macos-15-large"},
    HostedRunner{"macos-11", kMacos, kX64, "2024-06-28", true, 9255, "macos-15-intel"},
    HostedRunner{"macos-10.15", kMacos, kX64, "2022-12-01", true, 5583, "macos-15-intel"},
    HostedRunner{"windows-latest", kWindows, kX64, ""},
    HostedRunner{"windows-2025", kWindows, kX64, ""},
    HostedRunner{"windows-2025-vs2026", kWindows, kX64, ""},
    HostedRunner{"windows-2022", kWindows, kX64, ""},
    HostedRunner{"windows-11-arm", kWindows, kArm64, ""},
    HostedRunner{"windows-11-vs2026-arm", kWindows, kArm64, ""},
    HostedRunner{"windows-2019", kWindows, kX64, "2025-06-30", true, 12045, "windows-2022"},
    HostedRunner{"windows-2016", kWindows, kX64, "2022-04-01", true, 4312, "windows-2022"},
};

}  // namespace

std::string_view NameOf(RunnerSystem system) {
  switch (system) {
    case RunnerSystem::kLinux:
      return "Linux";
    case RunnerSystem::kMacos:
      return "macOS";
    case RunnerSystem::kWindows:
      return "Windows";
    case RunnerSystem::kUnknown:
      break;
  }
  return "some system";
}

std::span<const HostedRunner> HostedRunners() { return kHosted; }

const HostedRunner* FindHostedRunner(std::string_view label) {
  for (const HostedRunner& one : kHosted) {
    if (EqualsIgnoringCase(one.label, label)) return &one;
  }
  return nullptr;
}

RunnerSystem SystemOfPreset(std::string_view label) {
  if (EqualsIgnoringCase(label, "linux")) return kLinux;
  if (EqualsIgnoringCase(label, "macos")) return kMacos;
  if (EqualsIgnoringCase(label, "windows")) return kWindows;
  return RunnerSystem::kUnknown;
}

RunnerMachine MachineOfPreset(std::string_view label) {
  if (EqualsIgnoringCase(label, "x64")) return kX64;
  if (EqualsIgnoringCase(label, "arm64")) return kArm64;
  return RunnerMachine::kUnknown;
}

bool IsPreset(std::string_view label) {
  return SystemOfPreset(label) != RunnerSystem::kUnknown ||
         MachineOfPreset(label) != RunnerMachine::kUnknown ||
         EqualsAnyIgnoringCase(label, {"self-hosted", "arm"});
}

}  // namespace wheelwright
