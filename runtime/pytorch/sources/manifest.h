// Manifests: commit, address and branch of each project that wheels were built from, as JSON.
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

// Lists each project of the plan that is checked out, by its folder's name ("pytorch_audio"): its
// upstream commit, never the one by hipify; its address without password; its branch, if known.
// Then "therock", the repository of the job, or "unknown". Logs an error and returns nothing if
// torch is missing or a folder is no checkout.
std::optional<std::string> WriteManifest(const Plan& plan, const ManifestRequest& request,
                                         Runner& runner);

// A project in a manifest.
struct ManifestEntry {
  std::string project;     // "torchaudio"
  std::string repository;  // what git fetches from
  std::string commit;
  std::string branch;  // "": not known
};

// Reads the result of WriteManifest(), or of the former hand-written system, which has the same
// keys. Skips unknown projects. Reports an invalid manifest, commit or address, and a missing
// torch.
std::optional<std::vector<ManifestEntry>> ReadManifest(std::string_view json, std::string_view name,
                                                       const Plan& plan, Diagnostics& diagnostics);

}  // namespace wheelwright
