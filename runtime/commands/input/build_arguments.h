// Options that the commands that install, build and test share.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostic.h"
#include "cli/command.h"
#include "runtime/host/environment/host.h"
#include "runtime/wheels/plan/plan.h"

namespace wheelwright {

OptionSpec FamilyOption();
OptionSpec PlatformOption();

// `--platform`, or this machine's platform.
std::string TakePlatform(const Arguments& arguments, const Host& host);

// The gfx targets of `--family` on the platform. Reports an unknown family and returns nothing
// then.
std::optional<Texts> TakeTargets(const Arguments& arguments, std::string_view command,
                                 std::string_view platform, const Plan& plan,
                                 Diagnostics& diagnostics);

// The value of a number option, or 0.
std::size_t TakeNumber(const Arguments& arguments, std::string_view option);

}  // namespace wheelwright
