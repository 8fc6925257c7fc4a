// Reports of wrong input, and other steps that commands share.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "base/diagnostic.h"
#include "cli/command.h"
#include "runtime/host/environment/host.h"
#include "runtime/wheels/plan/plan.h"

namespace wheelwright {

// `own`, then --dry-run.
std::vector<OptionSpec> WithDryRun(std::vector<OptionSpec> own);

// Prints the reports about the input and returns the exit status. `sources` has the files of their
// places.
int Refuse(const Diagnostics& diagnostics, const Arguments& arguments, Host& host,
           const SourceManager& sources = SourceManager());
int Refuse(Diagnostic diagnostic, const Arguments& arguments, Host& host);

// Reports a missing required option. `says` is an example: "--version 3.12".
bool Require(const Arguments& arguments, std::string_view command, std::string_view option,
             std::string_view says, Diagnostics& diagnostics);

// Reads the plan, then returns the exit status of Work(arguments, host, plan).Run().
template <typename Work>
int RunByPlan(const Arguments& arguments, Host& host) {
  Diagnostics diagnostics;
  const std::optional<Plan> plan = ReadPlan(arguments, host, diagnostics);
  if (!plan) return Refuse(diagnostics, arguments, host);
  return Work(arguments, host, *plan).Run();
}

}  // namespace wheelwright
