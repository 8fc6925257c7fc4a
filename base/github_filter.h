// GitHub's filter patterns, by which `on` of a workflow names branches, tags and paths.
// https://docs.github.com/actions/reference/workflows-and-actions/workflow-syntax#filter-pattern-cheat-sheet
//
//   *      any characters but a slash          ?      the preceding character, or not
//   **     any characters                      +      the preceding character, once or more
//   [a-z]  one of these characters             !      at the front: takes back what matched before
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace wheelwright {

// Whether the patterns select the name: the last one that matches it decides.
bool MatchesGitHubFilter(std::span<const std::string> patterns, std::string_view name);

}  // namespace wheelwright
