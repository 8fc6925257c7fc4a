// Environment with what wheelrun's commands use in addition: environment variables, other programs,
// the machine and the time. Tests make their own.
#pragma once

#include <chrono>
#include <functional>
#include <string>
#include <string_view>

#include "base/platform/child_process.h"
#include "base/platform/machine.h"
#include "cli/environment.h"

namespace wheelwright {

struct Host : Environment {
  Variables variables;
  Processes* processes = nullptr;
  Machine machine;
  std::function<std::chrono::system_clock::time_point()> now;
  std::function<void(std::chrono::milliseconds)> sleep;  // ends early when a signal comes

  // A variable of the environment, or "".
  std::string Variable(std::string_view name) const;
  // Whether this runs in a job of GitHub Actions.
  bool in_actions() const { return Variable("GITHUB_ACTIONS") == "true"; }
};

// In UTC, by RFC 3339: "2026-02-19T10:00:00Z".
std::string TimeText(std::chrono::system_clock::time_point time);

// The page of this attempt of the run: "https://github.com/ROCm/TheRock/actions/runs/1/attempts/1".
// "" outside of a job.
std::string RunUrl(const Host& host);

// The absolute path, without "." and "..".
std::string AbsolutePath(std::string_view path, const Host& host);

}  // namespace wheelwright
