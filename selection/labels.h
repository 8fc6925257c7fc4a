// What labels ask for: `labels` of matrix/triggers.yml.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "base/diagnostic.h"
#include "selection/plan_file.h"

namespace wheelwright {

struct LabelRequests {
  std::string skip;          // the label that asks for nothing to be built, or ""
  std::string all_families;  // the label that asks for the families of all tiers, or ""
  struct Family {
    const FamilyRow* family;
    std::string label;
  };
  std::vector<Family> families;
  std::vector<std::string> pytorch;  // labels that ask for PyTorch wheels
  std::vector<std::string> tests;    // components, without "test:", in the matrix' order
  std::string kernel;                // of the test runners, or ""
  std::string kernel_label;
};

// Reads labels in any order: what they ask for together does not depend on it. A label that asks
// for nothing to be built wins over all others, whose names do not matter then. Reports labels of a
// known kind with an unknown name, and warns of those that nearly have a known name; others mean
// nothing here. The case of letters does not count, as it does not for GitHub.
LabelRequests ReadLabels(const PlanFile& plan, std::span<const std::string> labels,
                         Diagnostics& diagnostics);

// Reads a typed list of components to test, each as "test:NAME". `input` is where it was typed.
std::vector<std::string> ReadTestLabels(const PlanFile& plan, std::string_view typed,
                                        std::string_view input, Diagnostics& diagnostics);

}  // namespace wheelwright
