// Links a few workflows that are given as text, and renders what is said about them.
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
  std::string report;  // everything that was said, rendered without colour
  std::vector<FileUsage> usages;
};

// Every policy off: only what GitHub itself would refuse or get wrong.
LinkRules NoPolicy();

// Limits small enough to pass in a test; 0 elsewhere, which is no limit.
Limits NoLimits();

// Takes the interfaces of the files with workflow_call and of `foreign`, links each file, then the
// set. `domains` is the text of matrix/release.yml, with every column of its table `domains`.
LinkedSet LinkTexts(std::initializer_list<LinkedFile> files, const LinkRules& rules = NoPolicy(),
                    const Limits& limits = NoLimits(),
                    const std::vector<WorkflowInterface>& foreign = {},
                    std::string_view domains = {});

// Of each line that holds one of the marks, what stands behind the mark, behind a prefix of its
// own:
// {"= the path: ", "  "}.
std::string LinesWith(std::string_view report,
                      std::initializer_list<std::pair<std::string_view, std::string_view>> marks);

// One file, ci.yml.
std::string LinkText(std::string_view text, const LinkRules& rules = NoPolicy(),
                     const Limits& limits = NoLimits());

}  // namespace wheelwright
