// Links a few workflows that are given as text, and renders their diagnostics.
#pragma once

#include <deque>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "generator/link/link.h"

namespace wheelwright {

struct LinkedFile {
  std::string_view name;
  std::string_view text;
};

struct LinkedSet {
  std::string report;  // all diagnostics, rendered without colour
  std::vector<FileUsage> usages;
};

// Every policy off: only faults that GitHub itself would reject or mishandle.
LinkRules NoPolicy();

// Limits that are small enough to exceed in a test; others are 0, which means no limit.
Limits NoLimits();

// Takes the interfaces of the files with workflow_call and of `foreign`, links each file, then the
// set. `domains` is the text of matrix/release.yml, with every column of its table `domains`.
LinkedSet LinkTexts(std::initializer_list<LinkedFile> files, const LinkRules& rules = NoPolicy(),
                    const Limits& limits = NoLimits(),
                    const std::vector<WorkflowInterface>& foreign = {},
                    std::string_view domains = {});

// For each line that contains one of the marks, the mark's prefix and the text after the mark.
// `marks` are pairs of mark and prefix, such as {"= the path: ", "  "}.
std::string LinesWith(std::string_view report,
                      std::initializer_list<std::pair<std::string_view, std::string_view>> marks);

// One file, ci.yml.
std::string LinkText(std::string_view text, const LinkRules& rules = NoPolicy(),
                     const Limits& limits = NoLimits());

}  // namespace wheelwright
