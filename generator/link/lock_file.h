// GitHub's lock file of workflows, .github/workflows/actions.lock, which `gh actions-lock` writes.
//
//   version: 'v0.0.2'
//   workflows:
//     '.github/workflows/ci.yml':     # a workflow that is listed may use locked versions only
//       - 'actions/checkout@v6'
//   dependencies:
//     'actions/checkout@v6':
//       ref: 'v6.0.2'
//       commit: 'sha1-de0fac2e...'
//       uses: ['owner/name@version']  # what the action itself uses
//
// Sources: https://docs.github.com/actions/concepts/security/workflow-dependency-lockfiles and the
// file of https://github.com/github/gh-actions-lock. The format is a preview: a file of another
// form is reported, and nothing else is said of it.
#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>

#include "base/diagnostic.h"
#include "generator/workflow/model.h"

namespace wheelwright {

inline constexpr std::string_view kLockPath = ".github/workflows/actions.lock";

class LockFile {
 public:
  // Reports what does not have this form.
  void Read(const Node& root, Diagnostics& diagnostics);

  bool empty() const { return workflows_.empty(); }
  // Whether the workflow (".github/workflows/ci.yml") is listed, so that GitHub runs the commits of
  // the file.
  bool Lists(std::string_view workflow) const { return workflows_.count(workflow) > 0; }
  // Whether the version of that `uses` is locked for the workflow.
  bool Covers(std::string_view workflow, std::string_view uses) const;

  // Reports what the workflow uses and the file does not have, and the reverse.
  void Check(std::string_view path, const Workflow& workflow, Diagnostics& diagnostics) const;
  // Reports listed workflows that are not among `present`, and dependencies that nothing uses.
  void CheckAll(const std::set<std::string, std::less<>>& present, Diagnostics& diagnostics) const;

 private:
  using Pins = std::map<std::string, const Node*, std::less<>>;  // "owner/name@version"

  std::map<std::string, Pins, std::less<>> workflows_;
  std::map<std::string, const Node*, std::less<>> workflow_keys_;
  Pins dependencies_;  // the keys
  std::map<std::string, const Node*, std::less<>> values_;
};

}  // namespace wheelwright
