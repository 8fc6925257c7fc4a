// Where in a bucket the wheels of a family lie, as the commands that move and list them are told.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostic.h"
#include "cli/command.h"
#include "runtime/wheels/plan/plan.h"

namespace wheelwright {

struct ReleasePlace {
  std::string staging;    // "v2-staging/gfx94X-dcgpu/"
  std::string release;    // "v2/gfx94X-dcgpu/"
  std::string index_url;  // of the release, as installers see it: it ends with the family
};

OptionSpec ReleaseTypeOption();

// The release type that `--release-type` names, or whose bucket `--bucket` is. Reports when neither
// is known, and gives null then.
const ReleaseIndex* TakeReleaseIndex(const Arguments& arguments, std::string_view command,
                                     const Plan& plan, Diagnostics& diagnostics);

// The folders of `--family`, for the release type whose bucket `--bucket` is, or that
// `--release-type` names. Reports what is missing or unknown.
std::optional<ReleasePlace> TakeReleasePlace(const Arguments& arguments, std::string_view command,
                                             const Plan& plan, Diagnostics& diagnostics);

// "x/y" as "x/y/", "" and "/" as "".
std::string AsPrefix(std::string_view folder);

}  // namespace wheelwright
