// Commits as JSON for outputs of jobs.
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

// Reads {"torch_210": {"torch": "0123...", ...}, ...}, the output of `wheelrun resolve`. Reports
// any other form, unknown projects and invalid commits, as errors of the option `--commits`.
std::optional<ByRow> ReadCommitRows(std::string_view json, const Plan& plan,
                                    Diagnostics& diagnostics);

// Reads one row, {"torch": "0123...", ...}, or takes the row `id` of several.
std::optional<ByProject> ReadCommitRow(std::string_view json, std::string_view id, const Plan& plan,
                                       Diagnostics& diagnostics);

std::string RowsAsJson(const ByRow& rows);

}  // namespace wheelwright
