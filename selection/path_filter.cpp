#include "selection/path_filter.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/quote.h"
#include "base/text.h"

namespace wheelwright {
namespace {

constexpr std::string_view kWorkflows = ".github/workflows/";

const std::string* FindPattern(const Texts& patterns, std::string_view path) {
  const auto found = std::ranges::find_if(
      patterns, [&](const std::string& pattern) { return MatchesStars(pattern, path); });
  return found == patterns.end() ? nullptr : &*found;
}

}  // namespace

PathVerdict JudgePath(const PathRules& rules, std::string_view path) {
  if (const std::string* pattern = FindPattern(rules.always, path)) {
    return {true,
            fmt::format("{} changed, which '{}' of paths.always names", Quoted(path), *pattern)};
  }
  if (path.starts_with(kWorkflows)) {
    if (const std::string* pattern = FindPattern(rules.workflows, path)) {
      return {true, fmt::format("{} changed, which '{}' of paths.workflows names", Quoted(path),
                                *pattern)};
    }
    return {false,
            fmt::format("{} is a workflow that no pattern of paths.workflows names", Quoted(path))};
  }
  if (const std::string* pattern = FindPattern(rules.skippable, path)) {
    return {false,
            fmt::format("{} needs no build by '{}' of paths.skippable", Quoted(path), *pattern)};
  }
  return {true, fmt::format("{} changed", Quoted(path))};
}

PathVerdict JudgePaths(const PathRules& rules, std::span<const std::string> paths) {
  if (paths.empty()) return {false, "nothing changed"};
  for (const std::string& path : paths) {
    PathVerdict verdict = JudgePath(rules, path);
    if (verdict.build) return verdict;
  }
  PathVerdict first = JudgePath(rules, paths.front());
  if (paths.size() > 1) {
    first.why =
        fmt::format("none of {} needs a build; {}", Count(paths.size(), "changed file"), first.why);
  }
  return first;
}

}  // namespace wheelwright
