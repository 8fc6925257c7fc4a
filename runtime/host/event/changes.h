// Finds the changed files of an event with git, in a shallow clone.
#pragma once

#include <string>
#include <vector>

#include "runtime/host/event/event_file.h"
#include "runtime/host/programs/runner.h"

namespace wheelwright {

// Sets the changed files and the submodules of the event's inputs from the repository in `folder`.
// Fetches missing history step by step. When the changes cannot be found, logs the reason and
// leaves them unknown; then everything is built.
//
// Compares a pull request with its base and a push with the previous commit of the branch; other
// events change nothing. https://docs.github.com/actions/reference/events-that-trigger-workflows
void FindChanges(JobEvent& event, const std::string& folder, Runner& runner);

}  // namespace wheelwright
