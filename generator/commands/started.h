// Which generated workflows an event starts, by what stands in their `on`.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "generator/compile/compile.h"

namespace wheelwright {

// What GitHub compares with the filters of `on`.
struct OccurredEvent {
  std::string_view name;  // "push"
  // A branch, or "refs/tags/..." of a tag: what is pushed, or where a pull request goes. Empty: not
  // known, and counts as one that fits.
  std::string_view branch;
  const std::optional<std::vector<std::string>>& changed_files;  // nothing: not known, the same
  std::string_view workflow;  // of a run by hand: its name, with or without ".yml"; empty: any
};

// A workflow that no run starts by itself, such as one that is only called, is not among them.
struct EventStart {
  std::string_view file;
  bool starts = false;
  std::string why;  // "branch 'main' fits main, release/*"
  std::size_t jobs = 0;
  std::vector<std::string> cells;  // whose jobs they are: "6 builds of 'daily'"
};

// In the order of the workflows, of which the compilation must have kept the trees.
std::vector<EventStart> FindStarts(const Compilation& compilation, const OccurredEvent& event);

// As a table, as "markdown" or as "json".
std::string RenderStarts(const std::vector<EventStart>& starts, const OccurredEvent& event,
                         std::string_view format, bool color, std::size_t width);

}  // namespace wheelwright
