// Finds jobs with credentials, and jobs whose files or outputs those use, so that callers can check
// runners and environments.
#pragma once

#include <string_view>
#include <vector>

#include "generator/link/trust.h"
#include "generator/workflow/interface.h"
#include "generator/workflow/model.h"

namespace wheelwright {

// Whether a job may request an identity token, assumes a role, or names an environment.
bool HasCredentials(const Workflow& workflow, const Job& job);

// The runner and the environment of a job of the workflow file `file`.
TrustedJob DescribeTrustedJob(std::string_view file, const Job& job, const Workflow& workflow);

// Jobs of the file without credentials (no calls) that a job needs and whose outputs or artifacts
// it uses.
std::vector<const Job*> FeedersOf(const Workflow& workflow, const Job& job);

// The possible values of a text of the workflow.
std::vector<PossibleValue> PossibleValuesOf(std::string_view text, const Workflow& workflow);

// Fills in `trusted_jobs`: jobs with credentials, and those that feed them.
void FindTrustedJobs(const Workflow& workflow, const TrustDomains& domains,
                     WorkflowInterface& interface);

}  // namespace wheelwright
