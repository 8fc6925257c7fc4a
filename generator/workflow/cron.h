// The cron lines of `on.schedule`.
#pragma once

#include <string>
#include <string_view>

namespace wheelwright {

// The problem of a cron line, or "" if GitHub accepts it: five fields, with names of months and
// days, lists, ranges and steps, but no @daily.
std::string CronProblem(std::string_view line);

}  // namespace wheelwright
