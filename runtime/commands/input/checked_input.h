// Refusing wrong input, and other steps that all commands share.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "base/diagnostic.h"
#include "cli/command.h"
#include "runtime/host/environment/host.h"
#include "runtime/wheels/plan/plan.h"

namespace wheelwright {

// The options of a command that runs programs or writes: its own, then --dry-run.
std::vector<OptionSpec> WithDryRun(std::vector<OptionSpec> own);

// Prints what was reported about the input, and gives the exit status for it.
// `sources` holds the files that it is about, if any.
int Refuse(const Diagnostics& diagnostics, const Arguments& arguments, Host& host,
           const SourceManager& sources = SourceManager());
int Refuse(Diagnostic diagnostic, const Arguments& arguments, Host& host);

// Reports options that a command cannot do without. `says` is what to write: "--version 3.12".
bool Require(const Arguments& arguments, std::string_view command, std::string_view option,
             std::string_view says, Diagnostics& diagnostics);

// Reads the plan, and does the work of a command by it: Work(arguments, host, plan).Run() gives the
// exit status.
template <typename Work>
int RunByPlan(const Arguments& arguments, Host& host) {
  Diagnostics diagnostics;
  const std::optional<Plan> plan = ReadPlan(arguments, host, diagnostics);
  if (!plan) return Refuse(diagnostics, arguments, host);
  return Work(arguments, host, *plan).Run();
}

}  // namespace wheelwright
