// The GPUs of a machine, and which of them are tested on.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/host/programs/runner.h"
#include "runtime/wheels/plan/build_rules.h"

namespace wheelwright {

struct Gpu {
  std::string target;  // "gfx942", without features
  std::string device;  // what HIP_VISIBLE_DEVICES calls it
};

// From the names that torch gives, "gfx942:sramecc+:xnack-", in its order. `visible` is the
// HIP_VISIBLE_DEVICES under which it was asked: torch counts what that lets it see.
std::vector<Gpu> NameGpus(const Texts& names, std::string_view visible);

// The first of each kind among the targets, in the order of the machine.
std::vector<Gpu> ChooseGpus(const std::vector<Gpu>& gpus, const Texts& targets);

// Asks the torch of an environment, in a process of its own: one that has counted GPUs keeps to its
// count, whatever HIP_VISIBLE_DEVICES says later. Nothing: that failed, which was said.
std::optional<std::vector<Gpu>> FindGpus(const std::string& python, Runner& runner);

}  // namespace wheelwright
