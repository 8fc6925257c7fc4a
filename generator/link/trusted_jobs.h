// Finds jobs with credentials, and jobs whose files or outputs those use, so that callers can check
// runners and environments.
#pragma once

#include "generator/link/trust.h"
#include "generator/workflow/interface.h"
#include "generator/workflow/model.h"

namespace wheelwright {

// Fills in `trusted_jobs`. A job has credentials if it may request an identity token, assumes a
// role, or names an environment. Other jobs count if one of these needs them and uses their outputs
// or artifacts.
void FindTrustedJobs(const Workflow& workflow, const TrustDomains& domains,
                     WorkflowInterface& interface);

}  // namespace wheelwright
