// The report for programs.
#pragma once

#include <string>

#include "generator/plan/report.h"

namespace wheelwright {

// {"sets": [{"set", "platform", "rows", "cells", "excluded", "known_failures", "dead_ends",
// "absent"}], "taker_excludes", "acknowledged", "limits", "files", "cells", "out", "jobs"}. `cells`
// of a set stands there when each cell was asked for.
std::string ReportAsJson(const PlanReport& report, const Schema& schema, const PlanOptions& options,
                         const SourceManager& sources);

}  // namespace wheelwright
