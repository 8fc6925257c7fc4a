// Jobs that have credentials, and those whose files or outputs such jobs take over: what a caller
// has to know of them to say whether the machine and the environment are right for its role.
#pragma once

#include "generator/link/trust.h"
#include "generator/workflow/interface.h"
#include "generator/workflow/model.h"

namespace wheelwright {

// Fills in `trusted_jobs`. A job with credentials may ask for an identity token, takes a role, or
// names an environment. Another job counts where one of these needs it, and takes its outputs or
// the artifacts that it makes.
void FindTrustedJobs(const Workflow& workflow, const TrustDomains& domains,
                     WorkflowInterface& interface);

}  // namespace wheelwright
