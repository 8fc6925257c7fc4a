// The options that name GPUs.
#pragma once

#include <optional>
#include <vector>

#include "base/diagnostic.h"
#include "cli/command.h"
#include "runtime/hip/code/gfx_target.h"
#include "runtime/host/environment/host.h"
#include "runtime/wheels/plan/plan.h"

namespace wheelwright {

// --family, --target, --platform and --plan, then `own`.
std::vector<OptionSpec> WithGfxOptions(std::vector<OptionSpec> own);

struct AskedTargets {
  std::vector<GfxTarget> targets;  // sorted, each once; empty when neither option was given
  std::string platform;            // "linux", "windows"
  std::optional<Plan> plan;        // set when a family is given, or a plan is found
};

// Reads them. Reports errors and returns nothing then.
std::optional<AskedTargets> ReadGfxOptions(const Arguments& arguments, Host& host,
                                           Diagnostics& diagnostics);

}  // namespace wheelwright
