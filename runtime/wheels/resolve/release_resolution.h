// Resolves a release as users will see it, before it is published: every cell by a real resolver.
#pragma once

#include <chrono>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/host/environment/host.h"
#include "runtime/store/storage/storage.h"
#include "runtime/wheels/resolve/install_cell.h"

namespace wheelwright {

struct ReleaseQuestion {
  std::string release;           // folders, which end with a slash
  std::string dependencies;      // "": there is none
  std::string dependencies_url;  // an index that stands for it; "": the folder
  std::vector<WheelName> wheels;
  std::vector<std::string> staged;  // those that are still in staging
  // For wheels that name no Python.
  std::vector<PythonVersion> pythons;
  WheelPlatform platform = WheelPlatform::kLinux;
};

struct ReleaseAnswer {
  struct Refusal {
    std::string why;  // may have several lines
    std::vector<std::string> cells;
  };

  std::size_t cells = 0;
  std::vector<Refusal> refusals;     // each reason once
  std::vector<std::string> pythons;  // of the cells
  // Free-threaded ones, whose tags uv accepts only with that interpreter.
  std::vector<std::string> skipped;
  std::string failure;  // why the resolver could not say; "": it did
  std::chrono::milliseconds duration{0};

  bool good() const { return refusals.empty() && failure.empty(); }
};

// `storage` shows the release as it will be: PlannedRelease. Throws StorageError.
ReleaseAnswer ResolveRelease(Storage& storage, const ReleaseQuestion& question,
                             const std::string& uv, Host& host);

// Logs the answer, and adds it to the Markdown of a summary. False when something is refused.
bool ReportResolution(const ReleaseAnswer& answer, Host& host, std::string& summary);

}  // namespace wheelwright
