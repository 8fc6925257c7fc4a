// The report for programs.
#pragma once

#include <string>

#include "generator/plan/report.h"

namespace wheelwright {

// {"sets": [{"set", "platform", "rows", "combos", "excluded", "known_failures", "dead_ends",
// "absent"}], "release_excludes", "limits", "files", "combos", "out", "jobs"}. `combos` of a set
// stands there when each combo was asked for.
std::string ReportAsJson(const PlanReport& report, const Combos& combos, const PlanOptions& options,
                         const SourceManager& sources);

}  // namespace wheelwright
