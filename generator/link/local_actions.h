// Actions of the checked repository: a step with `uses: ./.github/actions/x` runs the steps in that
// folder's action.yml. Does not follow JavaScript and Docker actions, nor scripts that steps call.
#pragma once

#include <map>
#include <set>
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
  // All below .github/actions. `repository` is the folder that has .github. Skips an action.yml
  // that is no YAML, which GitHub refuses to run.
  void Read(FileSystem& files, const std::string& repository, SourceManager& sources, Arena& arena);
  // The one that a step uses, and those that its steps use. Nothing for other repositories.
  void ReadUsed(FileSystem& files, const std::string& repository, std::string_view uses,
                SourceManager& sources, Arena& arena);

  bool empty() const { return actions_.empty(); }
  // The root of the action.yml for a step's `uses`, or null.
  const Node* Find(std::string_view uses) const;
  // Whether ReadUsed() found no action there.
  bool IsMissing(std::string_view uses) const;

 private:
  bool ReadAction(FileSystem& files, const std::string& repository, const std::string& folder,
                  SourceManager& sources, Arena& arena);
  void ReadFolder(FileSystem& files, const std::string& repository, const std::string& folder,
                  SourceManager& sources, Arena& arena);

  std::map<std::string, const Node*, std::less<>> actions_;  // by folder: ".github/actions/x"
  std::set<std::string, std::less<>> looked_for_;            // by ReadUsed(), the same
  std::set<std::string, std::less<>> missing_;
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
