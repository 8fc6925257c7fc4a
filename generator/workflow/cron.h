// The time tables of `on.schedule`.
#pragma once

#include <string>
#include <string_view>

namespace wheelwright {

// What is wrong with a cron line, or "" when GitHub takes it: five fields, with names of months and
// days, lists, ranges and steps; no @daily.
std::string CronProblem(std::string_view line);

}  // namespace wheelwright
