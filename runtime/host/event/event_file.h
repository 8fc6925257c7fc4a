// The event of a job, from what its runner tells: the payload file and variables.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/diagnostic.h"
#include "runtime/host/platform/child_process.h"
#include "selection/event.h"

namespace wheelwright {

// What is known of an event, and what is needed to find out what changed.
struct JobEvent {
  EventInputs inputs;
  std::string before;  // push: what the branch was at; "" when it is new
  std::string base;    // pull_request, merge_group: what it goes into
  std::string head;    // pull_request: the commit that was pushed, not the merge that is tested
};

// `payload` is the text of the file GITHUB_EVENT_PATH, as in
// https://docs.github.com/webhooks/webhook-events-and-payloads. Reports a payload that is no JSON
// or of another shape, and variables that are missing; returns nothing then. Whether code comes
// from a fork is decided by the payload's two repositories: the owner that the runner names is the
// base's.
std::optional<JobEvent> ReadJobEvent(std::string_view payload, std::string_view name,
                                     const Variables& variables, Diagnostics& diagnostics);

}  // namespace wheelwright
