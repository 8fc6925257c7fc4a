// Reads the event of a job from the payload file and the runner's variables.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/diagnostic.h"
#include "base/platform/child_process.h"
#include "selection/event.h"

namespace wheelwright {

// An event, and the commits to compare.
struct JobEvent {
  EventInputs inputs;
  std::string before;  // push: the previous commit of the branch; "" when it is new
  std::string base;    // pull_request, merge_group: the commit it is merged into
  std::string head;    // pull_request: the commit that was pushed, not the merge that is tested
};

// `payload` is the text of the file GITHUB_EVENT_PATH:
// https://docs.github.com/webhooks/webhook-events-and-payloads. Reports a payload that is no JSON
// or of another shape, and variables that are missing; returns nothing then. The payload's two
// repositories decide whether the code comes from a fork; the runner's variables name only the
// owner of the base.
std::optional<JobEvent> ReadJobEvent(std::string_view payload, std::string_view name,
                                     const Variables& variables, Diagnostics& diagnostics);

}  // namespace wheelwright
