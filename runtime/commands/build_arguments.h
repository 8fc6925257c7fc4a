// What the commands that install, build and test are told alike.
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

// `--platform`, or what this machine is.
std::string TakePlatform(const Arguments& arguments, const Host& host);

// The gfx targets of `--family` on the platform. Reports when there is no such family; nothing
// then.
std::optional<Texts> TakeTargets(const Arguments& arguments, std::string_view command,
                                 std::string_view platform, const Plan& plan,
                                 Diagnostics& diagnostics);

// A whole number that was checked when it was read, or 0.
std::size_t TakeNumber(const Arguments& arguments, std::string_view option);

// The path from the root of the file system, without "." and "..".
std::string AbsolutePath(std::string_view path, const Host& host);

// `own`, then `more`.
std::vector<OptionSpec> Joined(std::vector<OptionSpec> own, std::vector<OptionSpec> more);

}  // namespace wheelwright
