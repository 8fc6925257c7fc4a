// Composite actions of the checked repository: what a step with `uses: ./.github/actions/x` does is
// in that folder's action.yml, and the rules of trust have to see it.
//
// Only actions below .github/actions/ are read. JavaScript and Docker actions are not followed, and
// neither are scripts that steps call.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "base/arena.h"
#include "base/file_system.h"
#include "base/source.h"
#include "generator/workflow/model.h"

namespace wheelwright {

class LocalActions {
 public:
  // `repository` is the folder in which .github lies. An action.yml that cannot be read as YAML is
  // left out: GitHub would refuse to run it.
  void Read(FileSystem& files, const std::string& repository, SourceManager& sources, Arena& arena);

  bool empty() const { return actions_.empty(); }
  // The root of the action.yml that a step means, or null.
  const Node* Find(std::string_view uses) const;

 private:
  void ReadFolder(FileSystem& files, const std::string& repository, const std::string& folder,
                  SourceManager& sources, Arena& arena);

  std::map<std::string, const Node*, std::less<>> actions_;  // by folder: ".github/actions/x"
};

// The folder of the repository that a project or a folder of workflows lies in: what stands before
// `.github` in the path, else the path.
std::string RepositoryOf(std::string_view path);

// The workflow with the steps of local actions behind those that use them, their inputs replaced by
// what is given. An input that is used in a way that is not understood may be anything. `space`
// holds the result, and is not used when there is nothing to replace; `actions` may be null.
const Workflow* WithActions(const Workflow& workflow, const LocalActions* actions, Arena& arena,
                            Workflow& space);

}  // namespace wheelwright
