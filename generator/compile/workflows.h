// The workflows of a run: each instance of a template is expanded, linked with the others and
// emitted.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "generator/compile/compile.h"
#include "generator/compile/external.h"
#include "generator/link/link.h"
#include "generator/template/template.h"

namespace wheelwright {

// What workflows are checked against besides each other.
struct LinkInputs {
  const TrustDomains& domains;
  const LocalActions& actions;
  const KnownActions& known_actions;
  const Programs& programs;
  ExternalWorkflows& external;
};

// In seconds, summed over all threads.
struct WorkflowTimes {
  double expand = 0;
  double link = 0;
  double emit = 0;
};

// Fills in `workflows` and `interfaces` of the compilation, and reports what is wrong. `keep`: see
// CompileOptions.
WorkflowTimes MakeWorkflows(const LinkInputs& inputs, std::span<const Instance> instances,
                            const std::vector<std::string>& keep, std::size_t threads,
                            Compilation& result, Diagnostics& diagnostics);

}  // namespace wheelwright
