// Commits as jobs hand them on: JSON on one line.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/diagnostic.h"
#include "runtime/wheels/plan/plan.h"

namespace wheelwright {

// Project and commit, or project and version.
using ByProject = std::vector<std::pair<std::string, std::string>>;
const std::string* FindProject(const ByProject& values, std::string_view project);

// By the id of a ref of PyTorch ("torch_210"), or of a combo ("py312_torch210").
using ByRow = std::vector<std::pair<std::string, ByProject>>;
const ByProject* FindRow(const ByRow& rows, std::string_view id);

// {"torch_210": {"torch": "0123...", ...}, ...}, as `wheelrun resolve` gives them. Reports, of the
// option `--commits`, what is not of that shape, projects that the plan does not have, and what is
// no commit.
std::optional<ByRow> ReadCommitRows(std::string_view json, const Plan& plan,
                                    Diagnostics& diagnostics);

// One row of them, {"torch": "0123...", ...}, or all of them, of which the row `id` is taken.
std::optional<ByProject> ReadCommitRow(std::string_view json, std::string_view id, const Plan& plan,
                                       Diagnostics& diagnostics);

std::string RowsAsJson(const ByRow& rows);

}  // namespace wheelwright
