// The outputs of the first job of a CI workflow, for the other jobs.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "selection/release.h"
#include "selection/select.h"

namespace wheelwright {

// "linux/gfx94X-dcgpu": the key of a job in templates/workflows/ci.yml.
std::string JobKey(std::string_view platform, std::string_view group);

// Name and value, as docs/workflows.md lists them:
//
//   selected     ["linux/gfx94X-dcgpu"]: artifact groups that are built
//   pytorch      ["linux/gfx94X-dcgpu"]: builds of the set `ci` that get PyTorch wheels
//   runners      {"linux/gfx94X-dcgpu": "linux-mi325-1gpu-ossci-rocm"}: "" where nothing is tested
//   test_type    smoke
//   test_labels  {"linux": ["rocblas"], "windows": []}
//
// Each on one line. A job runs if its key is in a list.
std::vector<std::pair<std::string, std::string>> JobOutputs(const Selection& selection);

// For a release `selected` alone: the families with wheels to build.
std::vector<std::pair<std::string, std::string>> JobOutputs(const ReleaseSelection& selection);

}  // namespace wheelwright
