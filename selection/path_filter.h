// Decides which changed paths need a build: `paths` of matrix/triggers.yml.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "selection/plan_file.h"

namespace wheelwright {

struct PathVerdict {
  bool build = false;
  std::string why;  // names the path and the rule that decided
};

// Whether one path needs a build. `*` in a pattern matches any text, slashes included.
PathVerdict JudgePath(const PathRules& rules, std::string_view path);

// Whether any of them does.
PathVerdict JudgePaths(const PathRules& rules, std::span<const std::string> paths);

}  // namespace wheelwright
