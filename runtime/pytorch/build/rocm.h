// The ROCm packages of an environment.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "runtime/wheels/plan/plan.h"
#include "runtime/host/programs/runner.h"

namespace wheelwright {

struct RocmPackages {
  std::string version;  // "7.12.0a20260219"
  Texts targets;        // targets of their libraries
  std::string root;     // folders, absolute
  std::string bin;
  std::string cmake;
  bool there = true;  // false: assumed for a dry run
};

// Asks the packages installed for `python`, all in one start of it. On failure logs an error and returns nothing; a dry
// run shows the command and returns nothing.
std::optional<RocmPackages> AskRocm(const std::string& python, Runner& runner);

// Placeholders for a dry run without installed packages.
RocmPackages ImaginedRocm(std::string_view version, const Texts& targets);

// Whether they have that version (if not "") and all these targets. Logs an error if not.
bool CheckRocm(const RocmPackages& rocm, std::string_view version, std::string_view family,
               const Texts& targets, Log& log);

// The variable that tells the package `rocm` the family, for a Step. Without it the package looks
// for a GPU, which build machines do not have. Empty for an unknown family.
std::vector<std::pair<std::string, std::string>> FamilyVariable(std::string_view family,
                                                                std::string_view platform,
                                                                const Plan& plan);

}  // namespace wheelwright
