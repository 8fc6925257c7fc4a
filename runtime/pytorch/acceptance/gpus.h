// Finds the GPUs of a machine and chooses those to test on.
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
  std::string device;  // its number for HIP_VISIBLE_DEVICES
};

// GPUs from torch's names, "gfx942:sramecc+:xnack-", in torch's order. `visible` is the
// HIP_VISIBLE_DEVICES that torch ran with: torch numbers only the visible devices.
std::vector<Gpu> NameGpus(const Texts& names, std::string_view visible);

// The first GPU of each target, in the order of the machine.
std::vector<Gpu> ChooseGpus(const std::vector<Gpu>& gpus, const Texts& targets);

// Asks the torch of an environment, in a separate process, because torch reads HIP_VISIBLE_DEVICES
// only once. On failure logs an error and returns nothing.
std::optional<std::vector<Gpu>> FindGpus(const std::string& python, Runner& runner);

}  // namespace wheelwright
