// The groups of rules behind LinkFile(), each in a source of that name.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "generator/link/link.h"
#include "generator/workflow/report.h"

namespace wheelwright {

// The input of every rule for one file.
struct Linking {
  const WorkflowFile& file;
  const Workflow& workflow;
  const LinkContext& context;
  Diagnostics& diagnostics;
  FileUsage& usage;
  const Workflow& trusted;  // with the steps of local actions, for the rules of trust

  const LinkRules& rules() const { return context.rules; }

  void Report(Diagnostic diagnostic) const { diagnostics.Report(std::move(diagnostic)); }
  // For rules of LinkRules.
  void Report(RuleLevel level, Diagnostic diagnostic) const {
    if (level == RuleLevel::kOff) return;
    diagnostic.severity = level == RuleLevel::kError ? Severity::kError : Severity::kWarning;
    diagnostics.Report(std::move(diagnostic));
  }
};

// The results of one walk over all scalars of a file.
struct ScalarScan {
  struct Long {
    const Node* scalar;
    std::size_t length;
  };
  std::size_t longest_expression = 0;
  std::vector<Long> too_long;  // longer than the limit
  std::size_t depth = 0;       // of the deepest collection
  const Node* deepest = nullptr;
  bool broken = false;                 // an expression has a syntax error and may read anything
  bool all_inputs = false;             // `inputs` is used as a whole
  std::vector<bool> used_call_inputs;  // as Workflow::call_inputs
  std::vector<bool> used_dispatch_inputs;
};
ScalarScan ScanScalars(const Workflow& workflow, const Limits& limits);

void CheckNeeds(const Linking& linking);
void CheckCalls(const Linking& linking);
void CheckPublications(const Linking& linking);
// Checks what no job of its run publishes.
void CheckInstallations(std::span<const FileUsage> files, Diagnostics& diagnostics);
void CheckPermissions(const Linking& linking);
void CheckTrust(const Linking& linking);
// The same for touches that are found when the workflow's tree is gone.
void CheckPaths(const WorkflowInterface& interface, std::span<const Touch> touches,
                const TrustDomains& domains, Diagnostics& diagnostics);
// Checks the trust domains of runs that steps start.
void CheckStartedRuns(std::span<const FileUsage> files, const LinkContext& context,
                      Diagnostics& diagnostics);
// Checks runners and environments of jobs with a domain's credentials.
void CheckTrustedJobs(const Linking& linking);
void CheckPins(const Linking& linking);
void CheckActionUses(const Linking& linking);
void CheckPrograms(const Linking& linking);
void CheckScriptVariables(const Linking& linking);
void CheckHygiene(const Linking& linking);
void CheckUntrustedCode(const Linking& linking);
void CheckInputs(const Linking& linking, const ScalarScan& scan);
void CheckLimits(const Linking& linking, const ScalarScan& scan);
void CollectDispatches(const Linking& linking);

// Reports when `used` exceeds the limit or, with near_limits, is close to it. True when it exceeds
// the limit.
struct LimitUse {
  std::string_view code;
  std::size_t used = 0;
  std::size_t limit = 0;
  std::string subject;    // "the workflow reaches"
  std::string_view what;  // "reusable workflow"; an s is added
  std::string note;       // may be empty
};
bool CheckLimit(const LinkContext& context, const LimitUse& use, const Node* at,
                Diagnostics& diagnostics);

// A workflow's name in the lock file: ".github/workflows/ci.yml".
std::string LockName(std::string_view file);

// The comment behind a value: the version of a pinned commit.
std::string_view TrailingComment(const Field& field);

// The owner/name of an action without path and version: "actions/checkout".
std::string_view ActionName(std::string_view uses);

// The names of inputs, secrets or outputs.
template <typename Declared>
std::vector<std::string_view> NamesOf(const std::vector<Declared>& all) {
  std::vector<std::string_view> names;
  names.reserve(all.size());
  for (const Declared& one : all) names.push_back(one.name);
  return names;
}

}  // namespace wheelwright
