// The requests of pull request labels: `labels` of matrix/triggers.yml.
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

// Reads labels; their order does not matter. A label that skips the build overrides all others,
// which are then not checked. Reports labels of a known kind with an unknown name, warns of names
// that are nearly known, and ignores others. Ignores case, as GitHub does.
LabelRequests ReadLabels(const PlanFile& plan, std::span<const std::string> labels,
                         Diagnostics& diagnostics);

// Reads a typed list of components to test, each as "test:NAME". `input` is where it was typed.
std::vector<std::string> ReadTestLabels(const PlanFile& plan, std::string_view typed,
                                        std::string_view input, Diagnostics& diagnostics);

}  // namespace wheelwright
