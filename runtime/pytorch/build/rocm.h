// The ROCm packages of an environment: which they are, and where.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "runtime/wheels/plan/plan.h"
#include "runtime/host/programs/runner.h"

namespace wheelwright {

struct RocmPackages {
  std::string version;  // "7.12.0a20260219"
  Texts targets;        // that their libraries have code for
  std::string root;     // folders, absolute
  std::string bin;
  std::string cmake;
  bool there = true;  // false: they are imagined
};

// Asks the packages that `python` sees. Nothing: that failed, which was said.
std::optional<RocmPackages> AskRocm(const std::string& python, Runner& runner);

// What stands for them where none are installed and commands are only printed.
RocmPackages ImaginedRocm(std::string_view version, const Texts& targets);

// Whether they are of that version, unless it is "", and for all these targets. Says what is wrong.
bool CheckRocm(const RocmPackages& rocm, std::string_view version, std::string_view family,
               const Texts& targets, Log& log);

// The variable by which the package `rocm` is told a family, as pairs for a Step; it would look for
// a GPU otherwise, and a machine that builds has none. Empty for what is no family.
std::vector<std::pair<std::string, std::string>> FamilyVariable(std::string_view family,
                                                                std::string_view platform,
                                                                const Plan& plan);

}  // namespace wheelwright
