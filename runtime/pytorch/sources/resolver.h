// Resolves refs of PyTorch to commits of PyTorch and of the projects built with it.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostic.h"
#include "runtime/host/programs/runner.h"
#include "runtime/pytorch/sources/commit_files.h"
#include "runtime/pytorch/sources/commits.h"
#include "runtime/wheels/plan/plan.h"

namespace wheelwright {

// The default repository of a project for a ref that is not in the plan.
std::string_view RepositoryOf(const Plan& plan, std::string_view ref, std::string_view project);

struct RefRequest {
  std::string id;   // of the row in the result
  std::string ref;  // of PyTorch; may be a commit
  Texts projects;   // projects to resolve
};

class Resolver {
 public:
  // Errors in files of commits are reported with their line; `sources` then has the file.
  Resolver(const Plan& plan, Runner& runner, SourceManager& sources, Diagnostics& diagnostics)
      : plan_(plan),
        runner_(runner),
        sources_(sources),
        diagnostics_(diagnostics),
        files_(runner) {}

  // The commits of each request, in the order of the plan's projects. Asks each repository once for
  // all of its refs. Nothing after an error, which was reported or logged.
  std::optional<ByRow> Commits(const std::vector<RefRequest>& requests);

  // The versions of wheels of these projects at these commits, with `suffix` as local label.
  // Nothing after an error.
  std::optional<ByProject> Versions(std::string_view ref, const Texts& projects,
                                    const ByProject& commits, std::string_view suffix);

 private:
  struct Wanted {
    std::string repository;
    Texts refs;
    std::vector<std::string> commits;  // of `refs`
  };

  const ProjectSource* SourceOf(const std::string& ref, const std::string& project);
  void Want(const std::string& repository, const std::string& ref);
  bool AskRemote(Wanted& wanted);
  void ReportMissing(const Wanted& wanted, const Texts& missing);
  std::string CommitOf(const std::string& repository, const std::string& ref) const;
  bool AddRecorded(const RefRequest& request, const ProjectSource& torch, const std::string& commit,
                   ByProject& commits);
  bool AddPinned(const ProjectSource& torch, const std::string& torch_commit, ByProject& commits);

  const Plan& plan_;
  Runner& runner_;
  SourceManager& sources_;
  Diagnostics& diagnostics_;
  CommitFiles files_;
  std::vector<Wanted> wanted_;
};

}  // namespace wheelwright
