// What wheels were built from: the commit, address and branch of each project, as JSON.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostic.h"
#include "runtime/host/programs/runner.h"
#include "runtime/wheels/plan/plan.h"

namespace wheelwright {

struct ManifestRequest {
  std::string root;  // of the checkouts, absolute
  std::string python;
  std::string torch_ref;
};

// "therock-manifest_torch_py3.12_release-2.10.json".
std::string ManifestName(std::string_view python, std::string_view torch_ref);

// Of each project of the plan whose folder is there: its commit as its project has it, never one
// that hipify made here; its address, without a password; and the branch that the commit was found
// by, where that is known. The keys are the names of the folders: "pytorch_audio". Then "therock",
// the repository that built it, from the variables of the job, or "unknown". Nothing after a
// failure, which was said: torch is not there, or a folder is no checkout.
std::optional<std::string> WriteManifest(const Plan& plan, const ManifestRequest& request,
                                         Runner& runner);

// What a manifest says of a project.
struct ManifestEntry {
  std::string project;     // "torchaudio"
  std::string repository;  // what git fetches from
  std::string commit;
  std::string branch;  // "": not known
};

// Reads what WriteManifest() wrote, or the hand-written system, which calls the projects by the
// same folders. Projects that the plan does not have are passed over. Reports what is no manifest,
// a commit or an address that is none, and one without torch.
std::optional<std::vector<ManifestEntry>> ReadManifest(std::string_view json, std::string_view name,
                                                       const Plan& plan, Diagnostics& diagnostics);

}  // namespace wheelwright
