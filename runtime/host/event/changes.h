// What an event changed, asked of git in a clone that holds as good as no history.
#pragma once

#include <string>
#include <vector>

#include "runtime/host/event/event_file.h"
#include "runtime/host/programs/runner.h"

namespace wheelwright {

// Fills in the changed files and the submodules of the event's inputs, from the repository in
// `folder`. What is missing of the history is fetched, a little at a time. When it cannot be found
// out what changed, that is said in the log and left unknown: everything is built then.
//
// A pull request is compared with what it is merged into, a push with what the branch was at; other
// events change nothing. https://docs.github.com/actions/reference/events-that-trigger-workflows
void FindChanges(JobEvent& event, const std::string& folder, Runner& runner);

}  // namespace wheelwright
