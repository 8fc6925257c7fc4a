// Jobs that have credentials, and jobs whose files or outputs those use: what a caller has to know
// of them to check that the runner and the environment fit its role.
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
