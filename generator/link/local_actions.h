// Composite actions of the checked repository, for the rules of trust: a step with `uses:
// ./.github/actions/x` runs the steps in that folder's action.yml.
//
// Reads only actions below .github/actions/. Does not follow JavaScript and Docker actions, nor
// scripts that steps call.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "base/arena.h"
#include "base/file_system.h"
#include "base/source.h"
#include "generator/link/action_interface.h"
#include "generator/workflow/model.h"

namespace wheelwright {

class LocalActions {
 public:
  // `repository` is the folder that has .github. Skips an action.yml that is no YAML, which GitHub
  // refuses to run.
  void Read(FileSystem& files, const std::string& repository, SourceManager& sources, Arena& arena);

  bool empty() const { return actions_.empty(); }
  // The root of the action.yml for a step's `uses`, or null.
  const Node* Find(std::string_view uses) const;

 private:
  void ReadFolder(FileSystem& files, const std::string& repository, const std::string& folder,
                  SourceManager& sources, Arena& arena);

  std::map<std::string, const Node*, std::less<>> actions_;  // by folder: ".github/actions/x"
};

// The interface of the action that a step uses, or of none.
struct StepAction {
  ActionInterface own;                     // of the repository, if `known` is null
  const ActionInterface* known = nullptr;  // of another one

  const ActionInterface* get() const {
    return known != nullptr ? known : own.name.empty() ? nullptr : &own;
  }
};
StepAction FindStepAction(const WorkflowStep& step, const LocalActions* local,
                          const KnownActions* known);

// The folder of the repository: the part of the path before `.github`, else the path.
std::string RepositoryOf(std::string_view path);

// Returns the workflow with the steps of local actions behind those that use them, with inputs
// replaced by their values (by an unknown value if that is not possible). The result is in `space`,
// or the same workflow if it uses no local actions. `actions` may be null.
const Workflow* WithActions(const Workflow& workflow, const LocalActions* actions, Arena& arena,
                            Workflow& space);

}  // namespace wheelwright
